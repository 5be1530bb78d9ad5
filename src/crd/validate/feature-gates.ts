import {
  duplicate,
  equal,
  type FieldError,
  FieldPath,
  goQuote,
  invalid,
  type JsonObject,
  own,
  ownList,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { compileFieldGates } from '../field-gates/compile-field-gates.ts';
import { gatedPathProblem } from '../field-gates/gated-path.ts';
import { objectsOf, stringsOf, textOf } from '../spec-view.ts';
import type { CrdCheck, CrdRule } from './crd-check.ts';
import { warningTextProblems } from './deprecation.ts';
import { enumErrors } from './group-and-scope.ts';
import { type FoundField, followPath, schemasAlong } from './schema-path.ts';

const path = FieldPath.of('spec', 'customFeatureGates', 'featureGates');
const stages = ['alpha', 'beta', 'stable', 'deprecated'];

interface Gate {
  readonly raw: JsonObject;
  readonly path: FieldPath;
  readonly stage: string;
  /** True where the stored CRD has the very same gate: what is wrong with it may stay so. */
  readonly isStored: boolean;
}

function rawGates(spec: JsonObject): JsonObject[] {
  const custom = ownObject(spec, 'customFeatureGates');
  return custom === undefined ? [] : objectsOf(custom, 'featureGates');
}

function gatesOf({ spec, oldSpec }: CrdCheck): Gate[] {
  const stored = new Map<string, JsonObject[]>();
  for (const raw of oldSpec === undefined ? [] : rawGates(oldSpec.raw)) {
    const name = textOf(raw, 'name');
    const named = stored.get(name) ?? [];
    named.push(raw);
    stored.set(name, named);
  }
  return rawGates(spec.raw).map((raw, index) => {
    const named = stored.get(textOf(raw, 'name')) ?? [];
    // Each stored gate excuses one: a copy of it is a new mistake.
    const found = named.findIndex((other) => equal(other, raw));
    if (found >= 0) named.splice(found, 1);
    return { raw, path: path.index(index), stage: textOf(raw, 'preRelease'), isStored: found >= 0 };
  });
}

/** The gates on fields (KEP-2608): what the KEP demands of each, and that none gets in the way of another. */
export const customFeatureGatesRule: CrdRule = (check) => {
  const gates = gatesOf(check);
  const stored = gates.filter(({ isStored }) => isStored);
  const names = new Set(stored.map(({ raw }) => textOf(raw, 'name')));
  const paths = new Set(stored.flatMap(({ raw }) => stringsOf(raw, 'fieldPaths')));
  const changed = gates.filter(({ isStored }) => !isStored);
  return changed.flatMap((gate) => [
    ...nameErrors(gate, names),
    ...enumErrors(gate.path.child('preRelease'), gate.stage, stages),
    ...defaultErrors(gate),
    ...warningErrors(gate),
    ...fieldPathErrors(gate, paths),
  ]);
};

function nameErrors({ raw, path }: Gate, known: Set<string>): FieldError[] {
  const name = textOf(raw, 'name');
  if (name === '') return [required(path.child('name'))];
  if (known.has(name)) return [duplicate(path.child('name'), name)];
  known.add(name);
  return [];
}

/** What `default` may say at each stage; undefined where it says nothing. */
const defaults: ReadonlyMap<string, boolean> = new Map([
  ['alpha', false],
  ['beta', false],
  ['stable', true],
]);

function defaultErrors({ raw, path, stage }: Gate): FieldError[] {
  const at = path.child('default');
  const value = own(raw, 'default');
  if (value === undefined) {
    return stage === 'deprecated' ? [required(at, 'must be specified when preRelease is deprecated')] : [];
  }
  const needed = defaults.get(stage);
  if (needed === undefined || value === needed) return [];
  return [invalid(at, value, `must be ${needed} when preRelease is ${stage}`)];
}

function warningErrors({ raw, path, stage }: Gate): FieldError[] {
  const warning = ownString(raw, 'fieldDeprecationWarning');
  if (warning === undefined) return [];
  const problems =
    stage === 'deprecated' ? warningTextProblems(warning) : ['can only be set when preRelease is deprecated'];
  return problems.map((problem) => invalid(path.child('fieldDeprecationWarning'), warning, problem));
}

function fieldPathErrors({ raw, path }: Gate, known: Set<string>): FieldError[] {
  const base = path.child('fieldPaths');
  const fieldPaths = stringsOf(raw, 'fieldPaths');
  if (fieldPaths.length === 0) return [required(base, 'must have at least one path')];
  return fieldPaths.flatMap((fieldPath, index) => {
    const at = base.index(index);
    if (fieldPath === '') return [required(at)];
    const problem = gatedPathProblem(fieldPath);
    if (problem !== undefined) return [invalid(at, fieldPath, problem)];
    if (known.has(fieldPath)) return [duplicate(at, fieldPath)];
    known.add(fieldPath);
    return [];
  });
}

/** Gates that are legal and do not do what one would think. */
export function featureGateWarnings(check: CrdCheck): string[] {
  const gates = gatesOf(check);
  return [...gates.flatMap((gate) => pathWarnings(gate, check)), ...stateWarnings(gates, check)];
}

function pathWarnings({ raw, path, stage }: Gate, { spec }: CrdCheck): string[] {
  const stored = spec.versions.find((version) => version.raw['storage'] === true);
  const schema = stored?.openAPIV3Schema;
  if (stored === undefined || schema === undefined) return [];
  return stringsOf(raw, 'fieldPaths').flatMap((fieldPath, index) => {
    const at = `${path.child('fieldPaths').index(index)}: ${goQuote(fieldPath)}`;
    const found = followPath(fieldPath, schema);
    if (typeof found === 'string') {
      if (keepsUnknownFields(fieldPath, schema)) return [];
      return [`${at} is not a field of the storage version ${stored.name}: the gate has no effect`];
    }
    if (stage === 'stable' || !isRequired(found, schema)) return [];
    return [`${at} is a required field: no object can be created while the gate is disabled`];
  });
}

/** Where a gate says `enabled` and it makes no difference. */
function stateWarnings(gates: readonly Gate[], { spec }: CrdCheck): string[] {
  const compiled = compileFieldGates(spec.raw)?.gates ?? [];
  return gates.flatMap(({ raw, path, stage }, index) => {
    const at = `${path.child('enabled')}: ${raw['enabled']} has no effect`;
    if (stage === 'stable') return raw['enabled'] === false ? [`${at}: a stable gate is enabled`] : [];
    const { name, disabledBy } = compiled[index] ?? {};
    if (raw['enabled'] !== true || disabledBy === undefined || disabledBy === name) return [];
    return [`${at} while feature gate ${goQuote(disabledBy)}, which it is nested in, is disabled`];
  });
}

/** A field that no schema describes is there all the same where unknown fields are kept. */
function keepsUnknownFields(fieldPath: string, schema: JsonObject): boolean {
  return schemasAlong(fieldPath.slice(1).split('.'), schema).some(
    (one) => one['x-kubernetes-preserve-unknown-fields'] === true,
  );
}

function isRequired({ steps }: FoundField, schema: JsonObject): boolean {
  const parent = schemasAlong(steps.slice(0, -1), schema)[steps.length - 1];
  const last = steps.at(-1);
  return parent !== undefined && last !== undefined && (ownList(parent, 'required') ?? []).includes(last);
}
