import { isObject, type JsonValue } from '../../meta/index.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { itemElementOrNone } from './list-item.ts';
import { deducedType, entryType, kindOf, type ListType, type MapType, type MergeType } from './merge-type.ts';
import { fieldElement, type PathElement } from '../field-set/path-element.ts';

/**
 * The fields that a configuration sets, which its applier will own: scalars, atomic containers, items of sets and
 * keyed lists, map entries, and fields that are null or `{}`. A declared field with content is not a field of its
 * own; only its content counts.
 */
export function toFieldSet(type: MergeType, value: JsonValue): FieldSet {
  return fieldsOf(type, value).withOwned(false);
}

function fieldsOf(type: MergeType, value: JsonValue): FieldSet {
  switch (kindOf(type, value)) {
    case 'map':
      return type.map === undefined ? FieldSet.empty : mapFields(type.map, value);
    case 'list':
      return type.list === undefined ? FieldSet.empty : listFields(type.list, value);
    default:
      return FieldSet.leaf;
  }
}

function mapFields(type: MapType, value: JsonValue): FieldSet {
  if (type.relationship === 'atomic') return FieldSet.leaf;
  if (!isObject(value)) return FieldSet.empty;
  const children = new Map<PathElement, FieldSet>();
  for (const key of Object.keys(value)) {
    const item = value[key] ?? null;
    const node = fieldsOf(entryType(type, key) ?? deducedType, item);
    const whole = isEmptyOrNull(item) || !type.fields.has(key);
    const entry = whole ? node.withOwned(true) : node;
    if (!entry.isEmpty) children.set(fieldElement(key), entry);
  }
  return FieldSet.node(false, children);
}

function isEmptyOrNull(value: JsonValue): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

/**
 * Replaces an item without identity. Configurations have none, but pruning leaves null for an emptied item, and the
 * list must still count as not empty.
 */
const noIdentity: PathElement = '';

function listFields(type: ListType, value: JsonValue): FieldSet {
  if (type.relationship === 'atomic') return FieldSet.leaf;
  if (!Array.isArray(value)) return FieldSet.empty;
  const children = new Map<PathElement, FieldSet>();
  for (const item of value) {
    const element = itemElementOrNone(type, item) ?? noIdentity;
    // Duplicate items are owned as a whole: their fields cannot be attributed to one of them.
    const node = children.has(element) ? FieldSet.leaf : fieldsOf(type.element, item).withOwned(true);
    children.set(element, node);
  }
  return FieldSet.node(false, children);
}
