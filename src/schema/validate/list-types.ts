import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  put,
} from '../../meta/index.ts';
import { childPath, itemPath } from './paths.ts';
import type { SchemaNode } from '../schema-node.ts';
import { duplicateIndices, hasDuplicates } from './unique-items.ts';

/** The identity of a map list item: the values of its keys, without missing ones. */
function keyOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const key: JsonObject = {};
  if (!isObject(item)) return key;
  for (const name of keys) {
    const value = own(item, name);
    if (value !== undefined) put(key, name, value);
  }
  return key;
}

const isMapItem = (item: JsonValue) => item === null || isObject(item);

/** True if a list violates its `x-kubernetes-list-type`. */
export function hasListDuplicates(node: SchemaNode, list: readonly JsonValue[]): boolean {
  if (node.listType === 'set') return hasDuplicates(list);
  if (!list.every(isMapItem)) return true;
  const [onlyKey] = node.listMapKeys;
  if (node.listMapKeys.length !== 1 || onlyKey === undefined) {
    return hasDuplicates(list.map((item) => keyOf(item, node.listMapKeys)));
  }
  // A missing key equals only another missing key; it is represented by an empty list, which is not a valid key.
  return hasDuplicates(list.map((item) => (isObject(item) ? own(item, onlyKey) : undefined) ?? []));
}

/**
 * Finds duplicate items in lists of type `set`, and duplicate keys in lists of type `map`, at any depth.
 * Source of texts: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype.
 */
export function listTypeErrors(node: SchemaNode, value: JsonValue, path?: FieldPath): FieldError[] {
  if (Array.isArray(value)) {
    const own = listErrors(node, value, path);
    const { items } = node;
    if (items === undefined) return own;
    return own.concat(value.flatMap((item, index) => listTypeErrors(items, item, itemPath(path, index))));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const property = node.properties.get(key) ?? node.additionalProperties;
    return property === undefined ? [] : listTypeErrors(property, child, childPath(node, path, key));
  });
}

function listErrors(node: SchemaNode, list: readonly JsonValue[], path: FieldPath | undefined): FieldError[] {
  if (node.listType === 'set') {
    return duplicateIndices(list).map((index) => duplicate(itemPath(path, index), list[index]));
  }
  if (node.listType !== 'map') return [];
  const wrong = list.findIndex((item) => !isMapItem(item));
  if (wrong !== -1) {
    return [invalid(itemPath(path, wrong), list[wrong], 'must be an object for an array of list-type map')];
  }
  const keys = list.map((item) => keyOf(item, node.listMapKeys));
  return duplicateIndices(keys).map((index) => duplicate(itemPath(path, index), keys[index]));
}
