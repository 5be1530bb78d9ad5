import { equal, isObject, type JsonObject, type JsonValue, own, put } from '../../meta/index.ts';
import { everyEntry } from '../../schema/index.ts';
import type { EachEntry, GateNode } from './compile-field-gates.ts';
import type { FieldGate } from './field-gate.ts';
import { entryText, itemText } from './list-keys.ts';

/** The effect of a gate on a write. */
export interface GateEffect {
  /**
   * `dropped`: the write set the field, the old object did not have it, and its gate is off.
   * `frozen`: the write changed the field; the old value stays because its gate is off.
   * `omitted`: the write left the field out; the old value stays because its gate is off.
   * `removed`: removed together with its parent `above`, although its gate is off.
   * `deprecated`: the write uses the field, and its gate is deprecated.
   */
  readonly kind: 'dropped' | 'frozen' | 'omitted' | 'removed' | 'deprecated';
  readonly gate: FieldGate;
  /** `spec.color`, `spec.containers[name="a"].image` */
  readonly path: string;
  /** For `removed`: the field that the write removed. */
  readonly above?: string;
}

/**
 * Applies the gates to an object that is about to be stored, and returns their effects. A field whose gate is off
 * keeps its state of the old object, present or absent. Its parents, if not gated or on, follow the write; if the
 * write removes a parent, everything below is removed too. This implements the two matrices of KEP-2608, for each
 * item of a keyed list and each map entry separately.
 *
 * The root of the object is changed in place; values below it are shared, and copied before they change.
 *
 * @param root of {@link FieldGates.acting}
 * @param old the stored object in the same version, undefined on create
 */
export function applyFieldGates(root: GateNode, next: JsonObject, old: JsonObject | undefined): GateEffect[] {
  const walk: Walk = { effects: [], isNew: old === undefined };
  for (const [key, child] of root.below) {
    const wanted = own(next, key);
    const settled = settle(child, { wanted, present: old && own(old, key), entries: [] }, walk);
    if (settled !== wanted) set(next, key, settled);
  }
  return walk.effects;
}

/** One pass over an object. */
interface Walk {
  readonly effects: GateEffect[];
  readonly isNew: boolean;
}

/** A field before and after the write. */
interface FieldChange {
  readonly wanted: JsonValue | undefined;
  readonly present: JsonValue | undefined;
  /** The list items and map entries on the path, in path notation. */
  readonly entries: readonly string[];
}

/** The path of a field, with the list items and map entries on it. */
function pathOf({ path }: GateNode, entries: readonly string[]): string {
  if (entries.length === 0) return path;
  const [first = '', ...rest] = path.split(everyEntry);
  return rest.reduce((text, part, index) => `${text}${entries[index] ?? everyEntry}${part}`, first);
}

function set(object: JsonObject, key: string, value: JsonValue | undefined): void {
  if (value === undefined) delete object[key];
  else put(object, key, value);
}

/** The resulting state of a field. */
function settle(node: GateNode, change: FieldChange, walk: Walk): JsonValue | undefined {
  const { gate } = node;
  if (gate !== undefined && node.isKept) return settleOff({ node, gate }, change, walk);
  const { wanted, present, entries } = change;
  if (wanted === undefined && present === undefined) return undefined;
  const settled = settleInside(node, change, walk);
  if (gate?.preRelease !== 'deprecated') return settled;
  if (walk.isNew ? settled !== undefined : !equal(settled, present)) {
    walk.effects.push({ kind: 'deprecated', gate, path: pathOf(node, entries) });
  }
  return settled;
}

function settleOff(
  { node, gate }: { readonly node: GateNode; readonly gate: FieldGate },
  { wanted, present, entries }: FieldChange,
  { effects }: Walk,
): JsonValue | undefined {
  if (wanted === present || (wanted !== undefined && equal(wanted, present))) return wanted;
  const kind = present === undefined ? 'dropped' : wanted === undefined ? 'omitted' : 'frozen';
  effects.push({ kind, gate, path: pathOf(node, entries) });
  return present;
}

function settleInside(node: GateNode, change: FieldChange, walk: Walk): JsonValue | undefined {
  const { wanted, present, entries } = change;
  if (isObject(wanted)) return settleBelow(node, wanted, change, walk);
  if (isObject(present)) noteRemoved(node, { present, above: pathOf(node, entries), entries }, walk);
  if (node.each === undefined || node.each.keys().length === 0) return wanted;
  if (Array.isArray(wanted)) return settleItems(node.each, wanted, change, walk);
  noteItemsRemoved(node.each, { present, above: pathOf(node, entries), entries }, walk);
  return wanted;
}

function settleBelow(node: GateNode, wanted: JsonObject, change: FieldChange, walk: Walk): JsonObject {
  const { present, entries } = change;
  const before = isObject(present) ? present : undefined;
  let changes: Map<string, JsonValue | undefined> | undefined;
  const settleKey = (key: string, child: GateNode, way: readonly string[]) => {
    const value = own(wanted, key);
    const settled = settle(child, { wanted: value, present: before && own(before, key), entries: way }, walk);
    if (settled === value) return;
    changes ??= new Map();
    changes.set(key, settled);
  };
  for (const [key, child] of node.below) settleKey(key, child, entries);
  for (const key of entriesOf(node, wanted, before)) {
    if (node.each !== undefined) settleKey(key, node.each.node, [...entries, entryText(key)]);
  }
  return changes === undefined ? wanted : withChanges(wanted, changes);
}

/** The entries without a node of their own; entries that the write removed come last. */
function entriesOf({ each, below }: GateNode, wanted: JsonObject, before: JsonObject | undefined): string[] {
  if (each === undefined) return [];
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(wanted, key));
  return [...Object.keys(wanted), ...gone].filter((key) => !below.has(key));
}

/** Pairs the items of a keyed list by their keys; items with duplicate keys, which are invalid, are paired in order. */
function settleItems(each: EachEntry, wanted: JsonValue[], change: FieldChange, walk: Walk): JsonValue[] {
  const keys = each.keys();
  const before = new Map<string, JsonValue[]>();
  for (const item of Array.isArray(change.present) ? change.present : []) {
    const text = itemText(item, keys);
    const same = text === undefined ? undefined : before.get(text);
    if (same !== undefined) same.push(item);
    else if (text !== undefined) before.set(text, [item]);
  }
  const settled = wanted.map((item) => {
    const text = itemText(item, keys);
    if (text === undefined) return item;
    const present = before.get(text)?.shift();
    return settle(each.node, { wanted: item, present, entries: [...change.entries, text] }, walk) ?? item;
  });
  for (const [text, items] of before) {
    for (const item of items)
      noteRemoved(each.node, entryRemoved(item, change.entries, each.node, text), walk);
  }
  return settled.every((item, index) => item === wanted[index]) ? wanted : settled;
}

/** A copy with some fields replaced, and without those that must be absent. */
function withChanges(object: JsonObject, changes: ReadonlyMap<string, JsonValue | undefined>): JsonObject {
  const copy: JsonObject = {};
  // A new object instead of `delete`: V8 keeps objects slow after a property was deleted.
  for (const key of Object.keys(object)) {
    const value = changes.has(key) ? changes.get(key) : own(object, key);
    if (value !== undefined) put(copy, key, value);
  }
  for (const [key, value] of changes) {
    if (value !== undefined && !Object.hasOwn(object, key)) put(copy, key, value);
  }
  return copy;
}

/** A value that a write removed, or that was removed with its parent. */
interface Removed {
  readonly present: JsonValue | undefined;
  /** What the write removed. */
  readonly above: string;
  readonly entries: readonly string[];
}

function entryRemoved(present: JsonValue, way: readonly string[], node: GateNode, text: string): Removed {
  const entries = [...way, text];
  return { present, above: pathOf(node, entries), entries };
}

/** Records what is removed together with a field. */
function noteRemoved(node: GateNode, removed: Removed, walk: Walk): void {
  const { present, above, entries } = removed;
  if (!isObject(present)) return noteItemsRemoved(node.each, removed, walk);
  for (const [key, child] of node.below)
    noteFieldRemoved(child, { ...removed, present: own(present, key) }, walk);
  for (const key of entriesOf(node, present, undefined)) {
    const way = [...entries, entryText(key)];
    if (node.each !== undefined) {
      noteRemoved(node.each.node, { present: own(present, key), above, entries: way }, walk);
    }
  }
}

function noteFieldRemoved(node: GateNode, removed: Removed, walk: Walk): void {
  const { present, above, entries } = removed;
  if (present === undefined) return;
  const { gate } = node;
  const path = pathOf(node, entries);
  if (gate !== undefined && node.isKept) walk.effects.push({ kind: 'removed', gate, path, above });
  else if (gate?.preRelease === 'deprecated') walk.effects.push({ kind: 'deprecated', gate, path });
  noteRemoved(node, removed, walk);
}

function noteItemsRemoved(
  each: EachEntry | undefined,
  { present, above, entries }: Removed,
  walk: Walk,
): void {
  if (each === undefined || !Array.isArray(present)) return;
  for (const item of present) {
    const text = itemText(item, each.keys());
    if (text !== undefined)
      noteRemoved(each.node, { present: item, above, entries: [...entries, text] }, walk);
  }
}
