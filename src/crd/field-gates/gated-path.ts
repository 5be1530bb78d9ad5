import { limits } from '../../meta/index.ts';
import { everyEntry, type FieldSteps } from '../../schema/index.ts';

/** The fields that every object has; they cannot be gated. */
const ownFields: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

/** A name after a dot, with `[*]` for each item of a list or entry of a map. */
const simplePath = /^(\.[^.[\]'"*]+(\[\*\])*)+$/;

/** The reason why a path in `fieldPaths` is invalid; undefined for a valid one. */
export function gatedPathProblem(fieldPath: string): string | undefined {
  if (!fieldPath.startsWith('.')) return 'must be a simple json path starting with .';
  if (!simplePath.test(fieldPath)) return 'must be a json path in the dot notation';
  const steps = splitPath(fieldPath);
  if (ownFields.has(steps[0] ?? '')) return 'must not point to apiVersion, kind or metadata';
  if (steps.at(-1) === everyEntry) return 'must not end with [*]: gate the list or the map itself';
  return undefined;
}

/**
 * The steps to a gated field; undefined for a path that no object has: an invalid path, which validation refuses, or
 * one longer than the depth limit of objects.
 */
export function gatedSteps(fieldPath: string): FieldSteps | undefined {
  if (gatedPathProblem(fieldPath) !== undefined) return undefined;
  const steps = splitPath(fieldPath);
  return steps.length > limits.nestingDepthMax ? undefined : steps;
}

/** `.spec.pools[*].size`: `spec`, `pools`, `[*]`, `size` */
function splitPath(fieldPath: string): string[] {
  return fieldPath.replaceAll(everyEntry, `.${everyEntry}`).slice(1).split('.');
}

/** The path of these steps, for messages: `spec.pools[*].size`. */
export function pathText(steps: FieldSteps): string {
  return steps.join('.').replaceAll(`.${everyEntry}`, everyEntry);
}
