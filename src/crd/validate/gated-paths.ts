import {
  duplicate,
  type FieldError,
  type FieldPath,
  goQuote,
  invalid,
  type JsonObject,
  required,
} from '../../meta/index.ts';
import { everyEntry, type FieldSteps } from '../../schema/index.ts';
import { gatedPathProblem, gatedSteps, pathText } from '../field-gates/gated-path.ts';
import { everyEntryProblem, listKeysOf, schemaAtStep, schemaAtSteps } from '../field-gates/list-keys.ts';
import { stringsOf, textOf } from '../spec-view.ts';
import { type Need, needOf, RuleReads } from './gated-needs.ts';
import type { HoistedSpec, HoistedVersion } from './hoisted-spec.ts';

/** The gate paths checked so far. */
export class KnownPaths {
  readonly #paths = new Set<string>();
  /** Maps and lists with a path through all entries, and those with a path through one entry. */
  readonly #through = { every: new Set<string>(), one: new Set<string>() };

  add(fieldPath: string): void {
    this.#paths.add(fieldPath);
    for (const { above, step } of stepsWithAbove(fieldPath)) {
      this.#through[step === everyEntry ? 'every' : 'one'].add(above);
    }
  }

  has(fieldPath: string): boolean {
    return this.#paths.has(fieldPath);
  }

  /** The map of a path that uses `[*]` where another path names an entry, or the reverse. */
  clashOf(fieldPath: string): string | undefined {
    const clash = stepsWithAbove(fieldPath).find(({ above, step }) =>
      this.#through[step === everyEntry ? 'one' : 'every'].has(above),
    );
    return clash?.above;
  }
}

function stepsWithAbove(fieldPath: string): { readonly above: string; readonly step: string }[] {
  const steps = gatedSteps(fieldPath) ?? [];
  return steps.map((step, index) => ({ above: `.${pathText(steps.slice(0, index))}`, step }));
}

/** Errors in the paths of a new or changed gate. */
export function fieldPathErrors(raw: JsonObject, base: FieldPath, known: KnownPaths): FieldError[] {
  return stringsOf(raw, 'fieldPaths').flatMap((fieldPath, index) => {
    const at = base.index(index);
    if (fieldPath === '') return [required(at)];
    const problem = gatedPathProblem(fieldPath);
    if (problem !== undefined) return [invalid(at, fieldPath, problem)];
    if (known.has(fieldPath)) return [duplicate(at, fieldPath)];
    const clash = known.clashOf(fieldPath);
    if (clash !== undefined) {
      return [
        invalid(at, fieldPath, `other paths name entries of ${clash} one by one or all: only one of both`),
      ];
    }
    known.add(fieldPath);
    return [];
  });
}

/**
 * Errors of paths through lists and maps whose items cannot be correlated between two objects. They depend on the
 * schema, so a stored, unchanged gate may become invalid too.
 *
 * @param oldSpec its errors are tolerated
 */
export function entryErrors(
  raw: JsonObject,
  base: FieldPath,
  { spec, oldSpec }: { readonly spec: HoistedSpec; readonly oldSpec: HoistedSpec | undefined },
): FieldError[] {
  return stringsOf(raw, 'fieldPaths').flatMap((fieldPath, index) => {
    const problem = entryProblem(fieldPath, spec);
    if (problem === undefined || (oldSpec && entryProblem(fieldPath, oldSpec)) === problem) return [];
    return [invalid(base.index(index), fieldPath, problem)];
  });
}

function entryProblem(fieldPath: string, spec: HoistedSpec): string | undefined {
  const schema = storedVersion(spec)?.openAPIV3Schema;
  const steps = gatedSteps(fieldPath);
  if (schema === undefined || steps === undefined) return undefined;
  let above: JsonObject | undefined = schema;
  for (const [index, step] of steps.entries()) {
    if (above === undefined && !keepsUnknownFields(steps.slice(0, index), schema)) return undefined;
    const path = `.${pathText(steps.slice(0, index))}`;
    if (step === everyEntry) {
      const problem = everyEntryProblem(above);
      if (problem !== undefined) return `must not go into ${path}[*]: ${problem}`;
      const key = listKeysOf(above ?? {}).find(({ name }) => name === steps[index + 1]);
      if (key !== undefined && index + 2 === steps.length) return `must not be a key of the list ${path}`;
    }
    above = above && schemaAtStep(above, step);
  }
  return undefined;
}

function storedVersion(spec: HoistedSpec): HoistedVersion | undefined {
  return spec.versions.find((version) => version.raw['storage'] === true);
}

/** Warnings about valid paths with a surprising effect. */
export function fieldPathWarnings(
  raw: JsonObject,
  base: FieldPath,
  { schema, version, rules }: Stored,
): string[] {
  return stringsOf(raw, 'fieldPaths').flatMap((fieldPath, index) => {
    const at = `${base.index(index)}: ${goQuote(fieldPath)}`;
    const steps = gatedSteps(fieldPath);
    if (steps === undefined || !hasField(steps, schema)) {
      if (steps !== undefined && keepsUnknownFields(steps, schema)) return [];
      return [`${at} is not a field of the storage version ${version}: the gate has no effect`];
    }
    if (raw['preRelease'] === 'stable') return [];
    return [
      ...needWarnings(at, needOf(schema, steps)),
      ...rules
        .thatNeed(fieldPath, textOf(raw, 'name'))
        .map(
          (rule) => `${at} is read by the rule ${rule} without has(): it fails while the gate is disabled`,
        ),
    ];
  });
}

function needWarnings(at: string, need: Need | undefined): string[] {
  switch (need) {
    case 'always':
      return [`${at} is a required field: no object can be created while the gate is disabled`];
    case 'in a branch':
      return [
        `${at} is required by a branch of anyOf or oneOf: no object gets in by it while the gate is disabled`,
      ];
    default:
      return [];
  }
}

/** The parts of the storage version that gates depend on. */
interface Stored {
  readonly version: string;
  readonly schema: JsonObject;
  readonly rules: RuleReads;
}

/** Undefined if there is no schema. */
export function storedSchemaOf(spec: HoistedSpec): Stored | undefined {
  const stored = storedVersion(spec);
  const schema = stored?.openAPIV3Schema;
  if (stored === undefined || schema === undefined) return undefined;
  return { version: stored.name, schema, rules: new RuleReads(schema) };
}

function hasField(steps: FieldSteps, schema: JsonObject): boolean {
  const above = schemaAtSteps(schema, steps.slice(0, -1));
  return (
    schemaAtSteps(schema, steps) !== undefined ||
    (above !== undefined && above['additionalProperties'] === true)
  );
}

/** True if unknown fields are kept there: a field may exist without a schema. */
function keepsUnknownFields(steps: FieldSteps, schema: JsonObject): boolean {
  return steps.some((_, index) => {
    const above = schemaAtSteps(schema, steps.slice(0, index));
    return above?.['x-kubernetes-preserve-unknown-fields'] === true;
  });
}
