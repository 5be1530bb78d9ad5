import { isObject, type JsonValue } from '../../meta/index.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { itemElementOrNone } from './list-item.ts';
import { deducedType, entryType, kindOf, type ListType, type MapType, type MergeType } from './merge-type.ts';
import { fieldElement, type PathElement } from '../field-set/path-element.ts';

/**
 * The fields that a configuration names, which is what its applier comes to own: scalars, atomic containers, items of
 * sets and keyed lists, entries of maps, and fields that are null or `{}`. A declared field with something in it is
 * not a field of its own, only what is in it.
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
 * Stands for an item that cannot be told from others. No configuration has one, but pruning leaves null where it
 * empties an item, and the list that holds it must still count as one with something in it.
 */
const noIdentity: PathElement = '';

function listFields(type: ListType, value: JsonValue): FieldSet {
  if (type.relationship === 'atomic') return FieldSet.leaf;
  if (!Array.isArray(value)) return FieldSet.empty;
  const children = new Map<PathElement, FieldSet>();
  for (const item of value) {
    const element = itemElementOrNone(type, item) ?? noIdentity;
    // What stands there twice is owned as a whole: nobody can say whose fields the twins' are.
    const node = children.has(element) ? FieldSet.leaf : fieldsOf(type.element, item).withOwned(true);
    children.set(element, node);
  }
  return FieldSet.node(false, children);
}
