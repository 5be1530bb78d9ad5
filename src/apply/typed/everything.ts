import { isObject, type JsonObject, type JsonValue, type Steps } from '../../meta/index.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { fieldElement, type PathElement } from '../field-set/path-element.ts';
import { itemElement } from './list-item.ts';
import { deducedType, entryType, kindOf, type ListType, type MapType, type MergeType } from './merge-type.ts';

/** So many members of a wide map or a long list are handled in one step. */
export const membersInStep = 1_024;
/** Maps below are handled in one step: what is so deep in an object has few members. */
export const stepsDepthMax = 3;

type Children = Map<PathElement, FieldSet>;

/** Every path of an added or removed subtree: its leaves and all containers, including its own path. */
export function everything(type: MergeType | undefined, value: JsonValue): FieldSet {
  const known = type ?? deducedType;
  const kind = kindOf(known, value);
  if (kind === 'map' && known.map?.relationship === 'separable' && isObject(value)) {
    return everyEntry(known.map, value);
  }
  if (kind === 'list' && known.list?.relationship === 'associative' && Array.isArray(value)) {
    return everyItem(known.list, value);
  }
  return FieldSet.leaf;
}

/** {@link everything}, in steps. */
export function* everythingInSteps(
  type: MergeType | undefined,
  value: JsonValue,
  depth: number,
): Steps<FieldSet> {
  const known = type ?? deducedType;
  const kind = kindOf(known, value);
  if (kind === 'map' && known.map?.relationship === 'separable' && isObject(value)) {
    return yield* everyEntryInSteps(known.map, value, depth);
  }
  if (kind === 'list' && known.list?.relationship === 'associative' && Array.isArray(value)) {
    return yield* everyItemInSteps(known.list, value);
  }
  return FieldSet.leaf;
}

function* everyEntryInSteps(type: MapType, value: JsonObject, depth: number): Steps<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  for (const [index, key] of Object.keys(value).entries()) {
    if (index % membersInStep === membersInStep - 1) yield;
    const child = value[key] ?? null;
    const isDeep = typeof child !== 'object' || depth > stepsDepthMax;
    const known = entryType(type, key);
    const set = isDeep ? everything(known, child) : yield* everythingInSteps(known, child, depth + 1);
    children.set(fieldElement(key), set);
  }
  return FieldSet.node(true, children);
}

function* everyItemInSteps(type: ListType, value: readonly JsonValue[]): Steps<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  for (let from = 0; from < value.length; from += membersInStep) {
    if (from > 0) yield;
    addItems(children, type, value.slice(from, from + membersInStep));
  }
  return FieldSet.node(true, children);
}

function everyEntry(type: MapType, value: JsonObject): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const key of Object.keys(value)) {
    children.set(fieldElement(key), everything(entryType(type, key), value[key] ?? null));
  }
  return FieldSet.node(true, children);
}

function everyItem(type: ListType, value: readonly JsonValue[]): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  addItems(children, type, value);
  return FieldSet.node(true, children);
}

function addItems(children: Children, type: ListType, items: readonly JsonValue[]): void {
  for (const item of items) {
    const element = itemElement(type, item);
    // Twins count as one atomic field.
    children.set(element, children.has(element) ? FieldSet.leaf : everything(type.element, item));
  }
}
