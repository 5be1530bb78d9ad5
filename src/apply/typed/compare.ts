import { equal, isObject, type JsonObject, type JsonValue, own } from '../../meta/index.ts';
import { FieldSet } from '../field-set/field-set.ts';
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
  const found = compareValues(type, before, after);
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
  let isEmpty = true;
  for (const key in left) {
    isEmpty = false;
    const old = own(left, key);
    if (old !== undefined) compareEntry(found, { type, key, old, now: own(right, key) });
  }
  for (const key in right) {
    isEmpty = false;
    if (Object.hasOwn(left, key)) continue;
    const added = own(right, key);
    if (added !== undefined) found.added(fieldElement(key), everything(entryType(type, key), added));
  }
  return isEmpty ? compareLeaves(before, after) : found.result();
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
  for (const [element, items] of itemsByElement(type, left)) {
    compareItems(found, { type, element, old: items, now: newItems.get(element) ?? [] });
    newItems.delete(element);
  }
  for (const [element, now] of newItems) compareItems(found, { type, element, old: [], now });
  return found.result();
}

function itemsByElement(type: ListType, list: readonly JsonValue[]): Map<PathElement, JsonValue[]> {
  const items = new Map<PathElement, JsonValue[]>();
  for (const item of list) {
    const element = itemElement(type, item);
    const twins = items.get(element);
    if (twins === undefined) items.set(element, [item]);
    else twins.push(item);
  }
  return items;
}

interface Items {
  readonly type: ListType;
  readonly element: PathElement;
  readonly old: readonly JsonValue[];
  readonly now: readonly JsonValue[];
}

/** Items with the same identity; duplicates count as one atomic field. */
function compareItems(found: ComparisonBuilder, { type, element, old, now }: Items): void {
  const [before] = old;
  const [after] = now;
  if (old.length > 1 && now.length > 1) {
    if (!equal([...old], [...now])) found.below(element, modifiedHere);
  } else if (old.length > 1) {
    if (after !== undefined) found.added(element, everything(type.element, after));
    found.below(element, removedHere);
  } else if (now.length > 1) {
    if (before !== undefined) found.removed(element, everything(type.element, before));
    found.below(element, addedHere);
  } else if (before === undefined) {
    if (after !== undefined) found.added(element, everything(type.element, after));
  } else if (after === undefined) {
    found.removed(element, everything(type.element, before));
  } else {
    found.below(element, compareValues(type.element, before, after));
  }
}

/** Every path of an added or removed subtree: its leaves and all containers, including its own path. */
function everything(type: MergeType | undefined, value: JsonValue): FieldSet {
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

function everyEntry(type: MapType, value: JsonObject): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const key of Object.keys(value)) {
    children.set(fieldElement(key), everything(entryType(type, key), value[key] ?? null));
  }
  return FieldSet.node(true, children);
}

function everyItem(type: ListType, value: readonly JsonValue[]): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, items] of itemsByElement(type, value)) {
    const [item] = items;
    const single = items.length === 1 && item !== undefined;
    children.set(element, single ? everything(type.element, item) : FieldSet.leaf);
  }
  return FieldSet.node(true, children);
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
