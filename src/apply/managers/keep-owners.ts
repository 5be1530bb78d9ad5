import { equal, isObject, type JsonObject, type JsonValue, own, ownString, put } from '../../meta/index.ts';
import { compareEntries } from './managed-fields.ts';
import { type ManagerIdentity, managerKey } from './manager-identity.ts';
import { fieldElement, keyElement, type PathElement } from '../field-set/path-element.ts';

/** A selection of fields below a node, by name; map entries are named like fields. */
export interface KeptFields {
  /** True for a field that a write keeps unchanged, with everything below it. */
  readonly isKept: boolean;
  readonly below: ReadonlyMap<string, KeptFields>;
  /** The items of a keyed list, or the map entries that are not named. */
  readonly each?: KeptEntries | undefined;
}

/** The fields of every item of a keyed list, or of every map entry. */
interface KeptEntries {
  readonly node: KeptFields;
  /** The key fields of the items, with their defaults. */
  keys(): readonly { readonly name: string; readonly default: JsonValue | undefined }[];
}

/** The object that a write is about to store, and its owners before. */
interface KeptWrite {
  readonly object: JsonObject;
  /** `metadata.managedFields` of the live object; undefined if there is none. */
  readonly before: JsonValue | undefined;
}

/**
 * Restores in `metadata.managedFields` the previous owners of the fields that a write kept. The FieldsV1 documents
 * are changed directly, because the fields are reached by name: decoding whole sets would cost more than the rest of
 * a write. Fields that the object no longer has have no owner.
 *
 * @param after the managed fields as the write computed them; returned unchanged if they are right already
 */
export function keepOwners(
  root: KeptFields,
  { object, before }: KeptWrite,
  after: JsonValue | undefined,
): JsonValue | undefined {
  const gone = entriesByManager(before);
  const list = Array.isArray(after) ? after : [];
  const settled: JsonObject[] = [];
  for (const entry of list) {
    // A list that upstream cannot decode is left as it is.
    if (!isObject(entry)) return after;
    const key = keyOf(entry);
    const fields = fieldsOf(entry);
    const left = settleNode(root, object, { after: fields, before: fieldsOf(gone.get(key)) });
    if (left === fields) settled.push(entry);
    else if (left !== undefined) settled.push({ ...entry, fieldsV1: left });
    gone.delete(key);
  }
  for (const entry of gone.values()) {
    const regained = settleNode(root, object, { after: undefined, before: fieldsOf(entry) });
    if (regained !== undefined) settled.push({ ...entry, fieldsV1: regained });
  }
  if (settled.length === list.length && settled.every((entry, index) => entry === list[index])) return after;
  return settled.length === 0 ? undefined : settled.sort(compareDocuments);
}

/** Tells whether a manager owns a field or something below it; the field is given by its steps. */
export function fieldsOwnedBy(
  identity: ManagerIdentity,
  list: JsonValue | undefined,
): (path: readonly PathElement[]) => boolean {
  const fields = fieldsOf(entriesByManager(list).get(managerKey(identity)));
  return (path) =>
    path.reduce<JsonObject | undefined>((at, element) => childOf(at, element), fields) !== undefined;
}

/** What one manager owns at a node, after and before a write. */
interface Owned {
  readonly after: JsonObject | undefined;
  readonly before: JsonObject | undefined;
}

/** The resulting ownership at and below a node; the same node if it does not change, undefined if empty. */
function settleNode(
  fields: KeptFields,
  value: JsonValue | undefined,
  { after, before }: Owned,
): JsonObject | undefined {
  if (value === undefined) return after;
  if (fields.isKept) return before !== undefined && equal(after, before) ? after : before;
  if (after === undefined && before === undefined) return undefined;
  const changes = new Map<PathElement, JsonObject | undefined>();
  for (const [element, { child, inner }] of childrenOf(fields, value)) {
    const mine = childOf(after, element);
    const settled = settleNode(child, inner, { after: mine, before: childOf(before, element) });
    if (settled !== mine) changes.set(element, settled);
  }
  return changes.size === 0 ? after : withChanges(after, changes);
}

/** A field, item or entry below a node. */
interface Child {
  readonly child: KeptFields;
  readonly inner: JsonValue | undefined;
}

/** The kept fields below a value, by their steps. A kept field is included even if the value lacks it. */
function* childrenOf({ below, each }: KeptFields, value: JsonValue): Generator<[PathElement, Child]> {
  const object = isObject(value) ? value : {};
  for (const [name, child] of below) {
    const inner = own(object, name) ?? (child.isKept ? null : undefined);
    yield [fieldElement(name), { child, inner }];
  }
  if (each === undefined) return;
  const { node: child } = each;
  for (const name of Object.keys(object)) {
    if (!below.has(name)) yield [fieldElement(name), { child, inner: own(object, name) }];
  }
  const keys = Array.isArray(value) ? each.keys() : [];
  if (keys.length === 0 || !Array.isArray(value)) return;
  for (const item of value) if (isObject(item)) yield [itemElement(item, keys), { child, inner: item }];
}

function itemElement(item: JsonObject, keys: ReturnType<KeptEntries['keys']>): PathElement {
  return keyElement(keys.map((key) => [key.name, own(item, key.name) ?? key.default ?? null]));
}

/** A node with other children. Without children it is an owned field; with children, `.` marks it as owned. */
function withChanges(
  node: JsonObject | undefined,
  changes: ReadonlyMap<PathElement, JsonObject | undefined>,
): JsonObject | undefined {
  const result: JsonObject = {};
  if (node !== undefined && Object.keys(node).length === 0) result['.'] = {};
  for (const key of Object.keys(node ?? {})) {
    const child = changes.has(key) ? changes.get(key) : childOf(node, key);
    if (child !== undefined) put(result, key, child);
  }
  for (const [key, child] of changes) {
    if (child !== undefined && !Object.hasOwn(result, key)) result[key] = child;
  }
  const [only, ...more] = Object.keys(result);
  if (only === undefined) return undefined;
  return only === '.' && more.length === 0 ? {} : result;
}

function childOf(node: JsonObject | undefined, key: string): JsonObject | undefined {
  const child = node === undefined ? undefined : own(node, key);
  return isObject(child) ? child : undefined;
}

/** The document of an entry; undefined if empty, because an empty document is not an owned field. */
function fieldsOf(entry: JsonObject | undefined): JsonObject | undefined {
  const fields = entry === undefined ? undefined : own(entry, 'fieldsV1');
  return isObject(fields) && Object.keys(fields).length > 0 ? fields : undefined;
}

/** The entries of a list by {@link managerKey}; the last one of duplicates applies. */
function entriesByManager(list: JsonValue | undefined): Map<string, JsonObject> {
  const entries = (Array.isArray(list) ? list : []).filter((entry): entry is JsonObject => isObject(entry));
  return new Map(entries.map((entry) => [keyOf(entry), entry]));
}

function keyOf(entry: JsonObject): string {
  return managerKey(identityIn(entry));
}

function identityIn(entry: JsonObject): ManagerIdentity {
  return {
    manager: ownString(entry, 'manager') ?? '',
    operation: ownString(entry, 'operation') === 'Apply' ? 'Apply' : 'Update',
    apiVersion: ownString(entry, 'apiVersion') ?? '',
    subresource: ownString(entry, 'subresource') ?? '',
  };
}

/** The order of entries. */
function compareDocuments(a: JsonObject, b: JsonObject): number {
  const [first, second] = [a, b].map((entry) => {
    const identity = identityIn(entry);
    return { identity, version: identity.apiVersion, time: ownString(entry, 'time') };
  });
  return first === undefined || second === undefined ? 0 : compareEntries(first, second);
}
