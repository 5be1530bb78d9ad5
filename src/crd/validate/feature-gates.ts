import {
  duplicate,
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
import { objectsOf, stringsOf, textOf } from '../spec-view.ts';
import type { CrdCheck, CrdRule } from './crd-check.ts';
import { warningTextProblems } from './deprecation.ts';
import { enumErrors } from './group-and-scope.ts';
import { type FoundField, followPath, schemasAlong } from './schema-path.ts';

const path = FieldPath.of('spec', 'customFeatureGates', 'featureGates');
const stages = ['alpha', 'beta', 'stable', 'deprecated'];
/** The fields that every object has; a gate on them would leave no object. */
const ownFields = new Set(['metadata', 'apiVersion', 'kind']);

interface Gate {
  readonly raw: JsonObject;
  readonly path: FieldPath;
  readonly stage: string;
}

function gatesOf({ spec }: CrdCheck): Gate[] {
  const custom = ownObject(spec.raw, 'customFeatureGates');
  const raws = custom === undefined ? [] : objectsOf(custom, 'featureGates');
  return raws.map((raw, index) => ({ raw, path: path.index(index), stage: textOf(raw, 'preRelease') }));
}

/** The gates on fields (KEP-2608): what the KEP demands of each, and that none gets in the way of another. */
export const customFeatureGatesRule: CrdRule = (check) => {
  const names = new Set<string>();
  const paths = new Set<string>();
  return gatesOf(check).flatMap((gate) => [
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
    const problem = fieldPathProblem(fieldPath);
    if (problem !== undefined) return [invalid(at, fieldPath, problem)];
    if (known.has(fieldPath)) return [duplicate(at, fieldPath)];
    known.add(fieldPath);
    return [];
  });
}

function fieldPathProblem(fieldPath: string): string | undefined {
  if (!fieldPath.startsWith('.')) return 'must be a simple json path starting with .';
  const [first = '', ...rest] = fieldPath.slice(1).split('.');
  if ([first, ...rest].some((step) => step === '' || /[[\]'"*]/.test(step))) {
    return 'must be a json path in the dot notation';
  }
  return ownFields.has(first) ? 'must not point to apiVersion, kind or metadata' : undefined;
}

/** Gates that are legal and do not do what one would think. */
export function featureGateWarnings(check: CrdCheck): string[] {
  const stored = check.spec.versions.find(({ raw }) => raw['storage'] === true);
  const schema = stored?.openAPIV3Schema;
  if (stored === undefined || schema === undefined) return [];
  return gatesOf(check).flatMap(({ raw, path, stage }) =>
    stringsOf(raw, 'fieldPaths').flatMap((fieldPath, index) => {
      const at = `${path.child('fieldPaths').index(index)}: ${goQuote(fieldPath)}`;
      const found = followPath(fieldPath, schema);
      if (typeof found === 'string') {
        if (keepsUnknownFields(fieldPath, schema)) return [];
        return [`${at} is not a field of the storage version ${stored.name}: the gate has no effect`];
      }
      if (stage === 'stable' || !isRequired(found, schema)) return [];
      return [`${at} is a required field: no object can be created while the gate is disabled`];
    }),
  );
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
