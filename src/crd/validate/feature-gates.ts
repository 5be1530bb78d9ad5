import {
  checkLabelKey,
  checkLabelValue,
  duplicate,
  equal,
  type FieldError,
  FieldPath,
  goQuote,
  invalid,
  type JsonObject,
  own,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { compileFieldGates } from '../field-gates/compile-field-gates.ts';
import { gatesInSchemas } from './gated-schemas.ts';
import { objectsOf, stringsOf, textOf } from '../spec-view.ts';
import type { CrdCheck, CrdRule } from './crd-check.ts';
import { warningTextProblems } from './deprecation.ts';
import { enumErrors } from './group-and-scope.ts';
import {
  entryErrors,
  fieldPathErrors,
  fieldPathWarnings,
  KnownPaths,
  storedSchemaOf,
} from './gated-paths.ts';

const customPath = FieldPath.of('spec', 'customFeatureGates');
const path = customPath.child('featureGates');
const stages = ['alpha', 'beta', 'stable', 'deprecated'];

interface Gate {
  readonly raw: JsonObject;
  readonly path: FieldPath;
  readonly stage: string;
  /** True if the stored CRD has an equal gate: its errors are tolerated. */
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
    // Each stored gate excuses one equal gate: a second copy is a new error.
    const found = named.findIndex((other) => equal(other, raw));
    if (found >= 0) named.splice(found, 1);
    return { raw, path: path.index(index), stage: textOf(raw, 'preRelease'), isStored: found >= 0 };
  });
}

/** Gates on fields (KEP-2608): the KEP's requirements for each gate, and conflicts between gates. */
export const customFeatureGatesRule: CrdRule = (check) => {
  const gates = gatesOf(check);
  const stored = gates.filter(({ isStored }) => isStored);
  const names = new Set(stored.map(({ raw }) => textOf(raw, 'name')));
  const paths = new KnownPaths();
  const used = gatesInSchemas(check.spec);
  for (const { raw } of stored) for (const fieldPath of stringsOf(raw, 'fieldPaths')) paths.add(fieldPath);
  return [
    ...ownErrors(check),
    ...gates.flatMap((gate) => [
      ...(gate.isStored ? [] : gateErrors(gate, { names, paths, used })),
      ...entryErrors(gate.raw, gate.path.child('fieldPaths'), check),
    ]),
  ];
};

/** Errors of `customFeatureGates` other than those of single gates. */
function ownErrors({ spec, oldSpec }: CrdCheck): FieldError[] {
  const custom = ownObject(spec.raw, 'customFeatureGates');
  const stored = ownObject(oldSpec?.raw ?? {}, 'customFeatureGates');
  if (custom === undefined) return [];
  const component = textOf(custom, 'component');
  const isSame = stored !== undefined && textOf(stored, 'component') === component;
  const problems = component === '' || isSame ? [] : checkLabelKey(component);
  const wasEmpty = stored !== undefined && objectsOf(stored, 'featureGates').length === 0;
  return [
    ...problems.map((problem) => invalid(customPath.child('component'), component, problem)),
    ...(rawGates(spec.raw).length > 0 || wasEmpty ? [] : [required(path, 'must have at least one gate')]),
  ];
}

/** What the checks of all gates of a CRD share. */
interface Known {
  readonly names: Set<string>;
  readonly paths: KnownPaths;
  /** The gates that rules and enum values refer to: these need no fields. */
  readonly used: ReadonlySet<string>;
}

function gateErrors(gate: Gate, { names, paths, used }: Known): FieldError[] {
  const { raw, stage } = gate;
  const base = gate.path.child('fieldPaths');
  return [
    ...nameErrors(gate, names),
    ...enumErrors(gate.path.child('preRelease'), stage, stages),
    ...defaultErrors(gate),
    ...warningErrors(gate),
    ...(stringsOf(raw, 'fieldPaths').length === 0 && !used.has(textOf(raw, 'name'))
      ? [required(base, 'must have at least one path')]
      : fieldPathErrors(raw, base, paths)),
  ];
}

function nameErrors({ raw, path }: Gate, known: Set<string>): FieldError[] {
  const name = textOf(raw, 'name');
  const at = path.child('name');
  if (name === '') return [required(at)];
  if (known.has(name)) return [duplicate(at, name)];
  known.add(name);
  return checkLabelValue(name).map((problem) => invalid(at, name, problem));
}

/** The allowed values of `default` at each stage; undefined if it must be absent. */
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

/** Warnings about valid gates with a surprising effect. */
export function featureGateWarnings(check: CrdCheck): string[] {
  const gates = gatesOf(check);
  const stored = gates.length === 0 ? undefined : storedSchemaOf(check.spec);
  const pathWarnings = gates.flatMap(({ raw, path }) =>
    stored === undefined ? [] : fieldPathWarnings(raw, path.child('fieldPaths'), stored),
  );
  return [...pathWarnings, ...stateWarnings(gates, check)];
}

/** Warns if a gate sets `enabled` without effect. */
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
