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

/** A field that identifies the items of a list. */
export interface ListKey {
  readonly name: string;
  /** The default for items without the field; undefined if the field is required. */
  readonly default: JsonValue | undefined;
}

/** The keys of a list with `x-kubernetes-list-type: map`; empty for other lists. */
export function listKeysOf(schema: JsonObject): readonly ListKey[] {
  if (ownString(schema, 'x-kubernetes-list-type') !== 'map') return [];
  const names = (ownList(schema, 'x-kubernetes-list-map-keys') ?? []).filter(
    (name) => typeof name === 'string',
  );
  const properties = ownObject(ownObject(schema, 'items') ?? {}, 'properties') ?? {};
  return names.map((name) => ({ name, default: own(ownObject(properties, name) ?? {}, 'default') }));
}

/** The schema one step below another; undefined if there is none. */
export function schemaAtStep(schema: JsonObject, step: string): JsonObject | undefined {
  const entries = ownObject(schema, 'additionalProperties');
  if (step === everyEntry) return ownObject(schema, 'items') ?? entries;
  return ownObject(ownObject(schema, 'properties') ?? {}, step) ?? entries;
}

/** The schema at the end of the steps; undefined if there is none. */
export function schemaAtSteps(schema: JsonObject, steps: FieldSteps): JsonObject | undefined {
  return steps.reduce<JsonObject | undefined>((at, step) => at && schemaAtStep(at, step), schema);
}

/** The reason why `[*]` cannot follow a field with this schema; undefined if it can. */
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

/** The keys of an item and their values; undefined for an item that is not an object. */
export function itemIdentity(
  item: JsonValue,
  keys: readonly ListKey[],
): [name: string, value: JsonValue][] | undefined {
  if (!isObject(item)) return undefined;
  return keys.map((key) => [key.name, withoutFloat64(own(item, key.name) ?? key.default ?? null)]);
}

/** An item in path notation, which is also its identity: `[name="a"]`, `[containerPort=80,protocol="TCP"]`. */
export function itemText(item: JsonValue, keys: readonly ListKey[]): string | undefined {
  const identity = itemIdentity(item, keys);
  return identity && `[${identity.map(([name, value]) => `${name}=${goJson(value)}`).join(',')}]`;
}

/** A map entry in path notation: `.big`; keys that are not plain names are in brackets. */
export function entryText(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${goJson(key)}]`;
}
