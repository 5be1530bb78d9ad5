import { isObject, type JsonObject, type JsonValue, put } from '../../meta/index.ts';
import type { FieldSet } from '../field-set/field-set.ts';
import { itemElementOrNone } from './list-item.ts';
import { deducedType, entryType, kindOf, type ListType, type MapType, type MergeType } from './merge-type.ts';
import { fieldElement } from '../field-set/path-element.ts';

/**
 * Removes the entries and items whose paths are in the set. A container that becomes empty stays as null; an empty
 * root is null. Returns the same value if nothing is removed.
 */
export function removeItems(type: MergeType, value: JsonValue, set: FieldSet): JsonValue {
  switch (kindOf(type, value)) {
    case 'map':
      return type.map === undefined || !isObject(value) ? null : removeFromMap(type.map, value, set);
    case 'list':
      return type.list === undefined || !Array.isArray(value) ? null : removeFromList(type.list, value, set);
    default:
      return value;
  }
}

function removeFromMap(type: MapType, value: JsonObject, set: FieldSet): JsonValue {
  if (type.relationship === 'atomic') return null;
  const kept: JsonObject = {};
  let changed = false;
  for (const key of Object.keys(value)) {
    const item = value[key] ?? null;
    const node = set.child(fieldElement(key));
    const rest = node?.owned === true ? undefined : removeBelow(entryType(type, key), item, node);
    if (rest !== item) changed = true;
    if (rest !== undefined) put(kept, key, rest);
  }
  if (Object.keys(kept).length === 0) return null;
  return changed ? kept : value;
}

function removeBelow(type: MergeType | undefined, item: JsonValue, node: FieldSet | undefined): JsonValue {
  return node === undefined || node.hasNoChildren ? item : removeItems(type ?? deducedType, item, node);
}

function removeFromList(type: ListType, value: JsonValue[], set: FieldSet): JsonValue {
  if (type.relationship === 'atomic') return null;
  const kept: JsonValue[] = [];
  let changed = false;
  for (const item of value) {
    const element = itemElementOrNone(type, item);
    const node = element === undefined ? undefined : set.child(element);
    const rest = node?.owned === true ? undefined : removeBelow(type.element, item, node);
    if (rest !== item) changed = true;
    if (rest !== undefined) kept.push(rest);
  }
  if (kept.length === 0) return null;
  return changed ? kept : value;
}

/**
 * Keeps only the entries and items whose paths are in the set, which should be {@link FieldSet.leaves}: a granular
 * container that is itself in the set becomes null. Atomic containers are kept whole.
 */
export function extractItems(type: MergeType, value: JsonValue, set: FieldSet): JsonValue {
  switch (kindOf(type, value)) {
    case 'map':
      return type.map === undefined || !isObject(value) ? null : extractFromMap(type.map, value, set);
    case 'list':
      return type.list === undefined || !Array.isArray(value) ? null : extractFromList(type.list, value, set);
    default:
      return value;
  }
}

function extractFromMap(type: MapType, value: JsonObject, set: FieldSet): JsonValue {
  const keys = Object.keys(value);
  if (type.relationship === 'atomic' || keys.length === 0) return value;
  const taken: JsonObject = {};
  for (const key of keys) {
    const node = set.child(fieldElement(key));
    if (node === undefined) continue;
    // Below an entry that is itself selected, upstream continues with the set of this level.
    const below = node.owned ? set : node;
    put(taken, key, extractItems(entryType(type, key) ?? deducedType, value[key] ?? null, below));
  }
  return Object.keys(taken).length === 0 ? null : taken;
}

function extractFromList(type: ListType, value: JsonValue[], set: FieldSet): JsonValue {
  if (type.relationship === 'atomic' || value.length === 0) return value;
  const taken: JsonValue[] = [];
  for (const item of value) {
    const element = itemElementOrNone(type, item);
    const node = element === undefined ? undefined : set.child(element);
    if (node === undefined) continue;
    taken.push(node.hasNoChildren ? item : extractItems(type.element, item, node));
  }
  return taken.length === 0 ? null : taken;
}
