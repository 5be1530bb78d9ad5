import { limits } from '../../meta/index.ts';

/** The fields that every object has; a gate on them would leave no object. */
const ownFields: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

/** What is wrong with a path in `fieldPaths`; undefined for one that can be gated. */
export function gatedPathProblem(fieldPath: string): string | undefined {
  if (!fieldPath.startsWith('.')) return 'must be a simple json path starting with .';
  const [first = '', ...rest] = fieldPath.slice(1).split('.');
  if ([first, ...rest].some((step) => step === '' || /[[\]'"*]/.test(step))) {
    return 'must be a json path in the dot notation';
  }
  return ownFields.has(first) ? 'must not point to apiVersion, kind or metadata' : undefined;
}

/**
 * The names on the way to a gated field; undefined for a path that no object has: one that is wrong, which validation
 * refuses, or that is longer than objects are deep.
 */
export function gatedSteps(fieldPath: string): readonly string[] | undefined {
  if (gatedPathProblem(fieldPath) !== undefined) return undefined;
  const steps = fieldPath.slice(1).split('.');
  return steps.length > limits.nestingDepthMax ? undefined : steps;
}
