import { equal, isObject, type JsonObject, type JsonValue, own, type Steps } from '../../meta/index.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { everything, everythingInSteps, membersInStep, stepsDepthMax } from './everything.ts';
import { itemElement } from './list-item.ts';
import {
  deducedType,
  entryType,
  type Kind,
  kindOf,
  type ListType,
  type MapType,
  type MergeType,
} from './merge-type.ts';
import { fieldElement, type PathElement } from '../field-set/path-element.ts';

/** The difference between two values of one type. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const same: Comparison = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };
const modifiedHere: Comparison = { ...same, modified: FieldSet.leaf };
const addedHere: Comparison = { ...same, added: FieldSet.leaf };
const removedHere: Comparison = { ...same, removed: FieldSet.leaf };

/**
 * Compares two values of one type. An added or removed subtree counts with all its leaves and containers. The order
 * of items in sets and keyed lists does not matter.
 *
 * @throws {ListItemError} for an item of an associative list without identity.
 */
export function compareTyped(type: MergeType, before: JsonValue, after: JsonValue): Comparison {
  return withoutRoot(compareValues(type, before, after));
}

/** {@link compareTyped}, in steps. */
export function* compareTypedInSteps(
  type: MergeType,
  before: JsonValue,
  after: JsonValue,
): Steps<Comparison> {
  return withoutRoot(yield* compareInSteps({ type, old: before, now: after }, 0));
}

/** The root has no owner. */
function withoutRoot(found: Comparison): Comparison {
  if (found === same) return same;
  return {
    added: found.added.withOwned(false),
    modified: found.modified.withOwned(false),
    removed: found.removed.withOwned(false),
  };
}

/** True if the values are equal. */
export function isSame(comparison: Comparison): boolean {
  return comparison.added.isEmpty && comparison.modified.isEmpty && comparison.removed.isEmpty;
}

/** The comparison without these fields and everything below them. */
export function excludeFields(comparison: Comparison, fields: FieldSet | undefined): Comparison {
  if (fields === undefined || fields.isEmpty) return comparison;
  return {
    added: comparison.added.recursiveDifference(fields),
    modified: comparison.modified.recursiveDifference(fields),
    removed: comparison.removed.recursiveDifference(fields),
  };
}

function compareValues(type: MergeType, before: JsonValue, after: JsonValue): Comparison {
  if (before === after) return same;
  const oldKind = kindOf(type, before);
  const newKind = kindOf(type, after);
  const found = compareAs(oldKind, type, before, after);
  // A field that changed its kind loses its old fields and gains its new ones.
  return oldKind === newKind ? found : both(found, compareAs(newKind, type, before, after));
}

function compareAs(kind: Kind, type: MergeType, before: JsonValue, after: JsonValue): Comparison {
  if (kind === 'map' && type.map !== undefined) return compareMaps(type.map, before, after);
  if (kind === 'list' && type.list !== undefined) return compareLists(type.list, before, after);
  return compareLeaves(before, after);
}

function compareLeaves(before: JsonValue, after: JsonValue): Comparison {
  return equal(before, after) ? same : modifiedHere;
}

function compareMaps(type: MapType, before: JsonValue, after: JsonValue): Comparison {
  const left = isObject(before) ? before : {};
  const right = isObject(after) ? after : {};
  if (type.relationship === 'atomic') return compareLeaves(before, after);
  const found = new ComparisonBuilder();
  const maps = { found, type, left, right };
  const keys = keysOf(maps);
  compareKeys(maps, keys, { from: 0, to: keys.length });
  return keys.length === 0 ? compareLeaves(before, after) : found.result();
}

/** Two maps that are compared. */
interface Maps {
  readonly found: ComparisonBuilder;
  readonly type: MapType;
  readonly left: JsonObject;
  readonly right: JsonObject;
}

/** All keys of two maps. */
function keysOf({ left, right }: Pick<Maps, 'left' | 'right'>): string[] {
  const keys = Object.keys(left);
  for (const key in right) if (!Object.hasOwn(left, key)) keys.push(key);
  return keys;
}

function compareKeys(
  { found, type, left, right }: Maps,
  keys: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): void {
  for (let index = from; index < to; index += 1) {
    const key = keys[index] ?? '';
    const old = own(left, key);
    const now = own(right, key);
    if (old !== undefined) compareEntry(found, { type, key, old, now });
    else if (now !== undefined) found.added(fieldElement(key), everything(entryType(type, key), now));
  }
}

/** A value before and after, and what both are. */
interface Twosome {
  readonly type: MergeType;
  readonly old: JsonValue;
  readonly now: JsonValue;
}

function* compareInSteps({ type, old, now }: Twosome, depth: number): Steps<Comparison> {
  const map = type.map;
  const { list } = type;
  if (list?.relationship === 'associative' && isLong(old) && isLong(now) && old !== now)
    return yield* compareListsInSteps(list, old, now);
  const isPlain = map !== undefined && map.relationship !== 'atomic' && isObject(old) && isObject(now);
  if (!isPlain || old === now || depth > stepsDepthMax) return compareValues(type, old, now);
  const found = new ComparisonBuilder();
  const maps = { found, type: map, left: old, right: now };
  const keys = keysOf(maps);
  if (keys.length === 0) return compareLeaves(old, now);
  for (let from = 0; from < keys.length; from += membersInStep) {
    if (from > 0) yield;
    if (keys.length > membersInStep)
      compareKeys(maps, keys, { from, to: Math.min(keys.length, from + membersInStep) });
    else yield* compareFew(maps, keys, depth);
  }
  return found.result();
}

function* compareFew(maps: Maps, keys: readonly string[], depth: number): Steps<void> {
  const { found, type, left, right } = maps;
  for (const [index, key] of keys.entries()) {
    const [old, now] = [own(left, key), own(right, key)];
    if (old === now) continue;
    if (old !== undefined && now !== undefined && ((isObject(old) && isObject(now)) || isLong(now))) {
      const child = entryType(type, key) ?? deducedType;
      found.below(fieldElement(key), yield* compareInSteps({ type: child, old, now }, depth + 1));
    } else if (old === undefined && typeof now === 'object') {
      const added = yield* everythingInSteps(entryType(type, key), now, depth + 1);
      found.added(fieldElement(key), added);
    } else compareKeys(maps, keys, { from: index, to: index + 1 });
  }
}

interface Entry {
  readonly type: MapType;
  readonly key: string;
  readonly old: JsonValue;
  readonly now: JsonValue | undefined;
}

function compareEntry(found: ComparisonBuilder, { type, key, old, now }: Entry): void {
  if (old === now) return;
  const child = entryType(type, key) ?? deducedType;
  if (now === undefined) found.removed(fieldElement(key), everything(child, old));
  else found.below(fieldElement(key), compareValues(child, old, now));
}

function compareLists(type: ListType, before: JsonValue, after: JsonValue): Comparison {
  const left = Array.isArray(before) ? before : [];
  const right = Array.isArray(after) ? after : [];
  if (type.relationship === 'atomic' || (left.length === 0 && right.length === 0)) {
    return compareLeaves(before, after);
  }
  const found = new ComparisonBuilder();
  const newItems = itemsByElement(type, right);
  for (const [element, old] of itemsByElement(type, left)) {
    const now = newItems.get(element);
    newItems.delete(element);
    if (now !== old) compareItems(found, { type, element, old, now });
  }
  for (const [element, now] of newItems) compareItems(found, { type, element, old: undefined, now });
  return found.result();
}

const isLong = (value: JsonValue): value is JsonValue[] =>
  Array.isArray(value) && value.length > membersInStep;

/** {@link compareLists} of long lists, in steps. */
function* compareListsInSteps(
  type: ListType,
  left: readonly JsonValue[],
  right: readonly JsonValue[],
): Steps<Comparison> {
  const found = new ComparisonBuilder();
  const newItems = yield* itemsInSteps(type, right);
  const oldItems = yield* itemsInSteps(type, left);
  let count = 0;
  for (const [element, old] of oldItems) {
    count += 1;
    if (count % membersInStep === 0) yield;
    const now = newItems.get(element);
    newItems.delete(element);
    if (now !== old) compareItems(found, { type, element, old, now });
  }
  for (const [element, now] of newItems) {
    count += 1;
    if (count % membersInStep === 0) yield;
    compareItems(found, { type, element, old: undefined, now });
  }
  return found.result();
}

/** Items of one identity. */
class Twins {
  readonly items: JsonValue[];

  constructor(items: JsonValue[]) {
    this.items = items;
  }
}

type ItemsByElement = Map<PathElement, JsonValue | Twins>;

/** Nearly every item has an identity of its own, and lists are long: only twins are put into a list. */
function itemsByElement(type: ListType, list: readonly JsonValue[]): ItemsByElement {
  const items: ItemsByElement = new Map();
  for (const item of list) addItem(items, itemElement(type, item), item);
  return items;
}

function* itemsInSteps(type: ListType, list: readonly JsonValue[]): Steps<ItemsByElement> {
  const items: ItemsByElement = new Map();
  for (const [index, item] of list.entries()) {
    if (index % membersInStep === membersInStep - 1) yield;
    addItem(items, itemElement(type, item), item);
  }
  return items;
}

function addItem(items: ItemsByElement, element: PathElement, item: JsonValue): void {
  const before = items.get(element);
  if (before === undefined) items.set(element, item);
  else if (before instanceof Twins) before.items.push(item);
  else items.set(element, new Twins([before, item]));
}

interface Items {
  readonly type: ListType;
  readonly element: PathElement;
  readonly old: JsonValue | Twins | undefined;
  readonly now: JsonValue | Twins | undefined;
}

/** Items with the same identity; duplicates count as one atomic field. */
function compareItems(found: ComparisonBuilder, { type, element, old, now }: Items): void {
  if (old instanceof Twins) {
    if (now instanceof Twins) {
      if (!equal(old.items, now.items)) found.below(element, modifiedHere);
      return;
    }
    if (now !== undefined) found.added(element, everything(type.element, now));
    found.below(element, removedHere);
  } else if (now instanceof Twins) {
    if (old !== undefined) found.removed(element, everything(type.element, old));
    found.below(element, addedHere);
  } else if (old === undefined) {
    if (now !== undefined) found.added(element, everything(type.element, now));
  } else if (now === undefined) {
    found.removed(element, everything(type.element, old));
  } else {
    found.below(element, compareValues(type.element, old, now));
  }
}

function both(a: Comparison, b: Comparison): Comparison {
  return {
    added: a.added.union(b.added),
    modified: a.modified.union(b.modified),
    removed: a.removed.union(b.removed),
  };
}

type Children = Map<PathElement, FieldSet>;

/** Collects the differences below a node; allocates nothing until there is one. */
class ComparisonBuilder {
  #added: Children | undefined;
  #modified: Children | undefined;
  #removed: Children | undefined;

  added(element: PathElement, set: FieldSet): void {
    this.#added = include(this.#added, element, set);
  }

  removed(element: PathElement, set: FieldSet): void {
    this.#removed = include(this.#removed, element, set);
  }

  below(element: PathElement, found: Comparison): void {
    if (found === same) return;
    this.added(element, found.added);
    this.removed(element, found.removed);
    this.#modified = include(this.#modified, element, found.modified);
  }

  result(): Comparison {
    if (this.#added === undefined && this.#modified === undefined && this.#removed === undefined) return same;
    return { added: node(this.#added), modified: node(this.#modified), removed: node(this.#removed) };
  }
}

function include(children: Children | undefined, element: PathElement, set: FieldSet): Children | undefined {
  if (set.isEmpty) return children;
  const target = children ?? new Map<PathElement, FieldSet>();
  const present = target.get(element);
  return target.set(element, present === undefined ? set : present.union(set));
}

function node(children: Children | undefined): FieldSet {
  return children === undefined ? FieldSet.empty : FieldSet.node(false, children);
}
