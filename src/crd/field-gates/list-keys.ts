import {
  goJson,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  ownString,
  withoutFloat64,
} from '../../meta/index.ts';
import { everyEntry, type FieldSteps } from '../../schema/index.ts';

/** A field that tells the items of a list apart. */
export interface ListKey {
  readonly name: string;
  /** What an item has that does not say; undefined where every item must. */
  readonly default: JsonValue | undefined;
}

/** The keys of a list with `x-kubernetes-list-type: map`; empty for anything else. */
export function listKeysOf(schema: JsonObject): readonly ListKey[] {
  if (ownString(schema, 'x-kubernetes-list-type') !== 'map') return [];
  const names = (ownList(schema, 'x-kubernetes-list-map-keys') ?? []).filter(
    (name) => typeof name === 'string',
  );
  const properties = ownObject(ownObject(schema, 'items') ?? {}, 'properties') ?? {};
  return names.map((name) => ({ name, default: own(ownObject(properties, name) ?? {}, 'default') }));
}

/** The schema a step below another; undefined where nothing says what is there. */
export function schemaAtStep(schema: JsonObject, step: string): JsonObject | undefined {
  const entries = ownObject(schema, 'additionalProperties');
  if (step === everyEntry) return ownObject(schema, 'items') ?? entries;
  return ownObject(ownObject(schema, 'properties') ?? {}, step) ?? entries;
}

/** The schema that steps lead to; undefined where they lead nowhere. */
export function schemaAtSteps(schema: JsonObject, steps: FieldSteps): JsonObject | undefined {
  return steps.reduce<JsonObject | undefined>((at, step) => at && schemaAtStep(at, step), schema);
}

/** Why `[*]` cannot stand after a field with such a schema; undefined where it can. */
export function everyEntryProblem(schema: JsonObject | undefined): string | undefined {
  if (schema === undefined) return 'its schema says of neither a list with keys nor a map';
  if (ownString(schema, 'type') === 'array') {
    if (listKeysOf(schema).length > 0) return undefined;
    const type = ownString(schema, 'x-kubernetes-list-type') ?? 'atomic';
    return `its list type is ${type}, and only items of a list of type map can be told apart: gate the list itself`;
  }
  const entries = own(schema, 'additionalProperties');
  return isObject(entries) || entries === true ? undefined : 'it is neither a list with keys nor a map';
}

/** The names and values that tell an item from the others; undefined for what is no object. */
export function itemIdentity(
  item: JsonValue,
  keys: readonly ListKey[],
): [name: string, value: JsonValue][] | undefined {
  if (!isObject(item)) return undefined;
  return keys.map((key) => [key.name, withoutFloat64(own(item, key.name) ?? key.default ?? null)]);
}

/** An item as paths show it, which is also its identity: `[name="a"]`, `[containerPort=80,protocol="TCP"]`. */
export function itemText(item: JsonValue, keys: readonly ListKey[]): string | undefined {
  const identity = itemIdentity(item, keys);
  return identity && `[${identity.map(([name, value]) => `${name}=${goJson(value)}`).join(',')}]`;
}

/** An entry of a map as paths show it: `.big`; a key that is no plain name stands in brackets. */
export function entryText(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${goJson(key)}]`;
}
