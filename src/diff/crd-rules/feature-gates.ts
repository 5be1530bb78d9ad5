import {
  equal,
  goJson,
  isObject,
  type JsonObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { compileFieldGates } from '../../crd/index.ts';
import { breaking, type Change, safe } from '../change.ts';
import type { CrdDifference, CrdPair } from './crd-rule.ts';

/** Gates on fields (KEP-2608): which fields they enable, and when. */
export function featureGates({ before, after }: CrdPair): CrdDifference[] {
  const [was, is] = [gatesOf(before), gatesOf(after)];
  const added = [...is.keys()].filter((name) => !was.has(name));
  return [
    ...added.map((name) => about(newGate(name, { before, after }))),
    ...[...was].flatMap(([name, old]) => compareGate(name, old, is.get(name))),
  ];
}

function about(difference: Pick<Change, 'severity' | 'message'>): CrdDifference {
  return { version: '', path: '', ...difference };
}

function gatesOf(spec: JsonObject): Map<string, JsonObject> {
  const list = ownList(ownObject(spec, 'customFeatureGates') ?? {}, 'featureGates') ?? [];
  return new Map(list.filter(isObject).map((gate) => [ownString(gate, 'name') ?? '', gate]));
}

/** Fields of a gate that is off cannot be written: new objects lose fields that existed before. */
function newGate(name: string, { before, after }: CrdPair): Pick<Change, 'severity' | 'message'> {
  const gate = compileFieldGates(after)?.gates.find((one) => one.name === name);
  const known = (gate?.fieldPaths ?? []).filter((path) => hasField(before, path));
  if (gate === undefined || gate.enabled || known.length === 0) return safe(`feature gate ${name} is new`);
  return breaking(`feature gate ${name} is new and off: ${known.join(', ')} can no longer be written`);
}

/** True if any version has a field: `.spec.pools[*].size`. */
function hasField(spec: JsonObject, fieldPath: string): boolean {
  const steps = fieldPath.replaceAll('[*]', '.*').split('.').slice(1);
  return (ownList(spec, 'versions') ?? []).filter(isObject).some((version) => {
    let schema = ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema');
    for (const step of steps) schema = schema && below(schema, step);
    return schema !== undefined;
  });
}

/** The schema of a field, an item, or a map entry. */
function below(schema: JsonObject, step: string): JsonObject | undefined {
  const items = step === '*' ? ownObject(schema, 'items') : undefined;
  const property = ownObject(ownObject(schema, 'properties') ?? {}, step);
  const entry = ownObject(schema, 'additionalProperties');
  const keepsAll = own(schema, 'x-kubernetes-preserve-unknown-fields') === true ? {} : undefined;
  return items ?? property ?? entry ?? keepsAll;
}

const aspects = ['preRelease', 'default', 'enabled', 'fieldPaths'] as const;

function compareGate(name: string, before: JsonObject, after: JsonObject | undefined): CrdDifference[] {
  if (after === undefined) return [about(safe(`feature gate ${name} is gone: its fields are always there`))];
  return aspects.flatMap((aspect) => {
    const [was, is] = [own(before, aspect) ?? null, own(after, aspect) ?? null];
    if (equal(was, is)) return [];
    const text = `feature gate ${name}: ${aspect} changed from ${goJson(was)} to ${goJson(is)}`;
    return [about(isForward(aspect, is) ? safe(text) : breaking(text))];
  });
}

/** True if the change makes a field more widely available. */
function isForward(aspect: (typeof aspects)[number], value: unknown): boolean {
  if (aspect === 'preRelease') return value === 'beta' || value === 'stable';
  return aspect !== 'fieldPaths' && value !== false;
}
