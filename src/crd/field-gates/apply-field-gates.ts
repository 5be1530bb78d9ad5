import { equal, isObject, type JsonObject, type JsonValue, own, put } from '../../meta/index.ts';
import type { GateNode } from './compile-field-gates.ts';
import type { FieldGate } from './field-gate.ts';

/** What a gate did to a write, or has to say about it. */
export interface GateEffect {
  /**
   * `dropped`: set by the write, and not there before; its gate is off.
   * `frozen`: changed by the write, and as before now; its gate is off.
   * `omitted`: left out by the write, and as before now; its gate is off.
   * `removed`: gone together with `above`, whatever its gate says, which is off.
   * `deprecated`: used by the write; its gate is deprecated.
   */
  readonly kind: 'dropped' | 'frozen' | 'omitted' | 'removed' | 'deprecated';
  readonly gate: FieldGate;
  /** `spec.color` */
  readonly path: string;
  /** For what was removed: the field that the write removed. */
  readonly above?: string;
}

/**
 * Lets the gates act on what is about to be stored, and gives what they did: a field whose gate is off stays as it is
 * in the old object, be it absent or present. What is above it, on or not gated, follows the write; where the write
 * takes that away, everything below goes with it. These are the two matrices of KEP-2608.
 *
 * The object is changed in place at its root; what is below is shared with others, and copied where it changes.
 *
 * @param root of {@link FieldGates.acting}
 * @param old the stored object in the same version, undefined on create
 */
export function applyFieldGates(root: GateNode, next: JsonObject, old: JsonObject | undefined): GateEffect[] {
  const effects: GateEffect[] = [];
  for (const [key, child] of root.below) {
    const wanted = own(next, key);
    const settled = settle(
      child,
      { wanted, present: old && own(old, key), isNew: old === undefined },
      effects,
    );
    if (settled !== wanted) set(next, key, settled);
  }
  return effects;
}

/** A field before and after a write. */
interface FieldChange {
  readonly wanted: JsonValue | undefined;
  readonly present: JsonValue | undefined;
  readonly isNew: boolean;
}

function set(object: JsonObject, key: string, value: JsonValue | undefined): void {
  if (value === undefined) delete object[key];
  else put(object, key, value);
}

/** What a field comes to be. */
function settle(node: GateNode, change: FieldChange, effects: GateEffect[]): JsonValue | undefined {
  const { gate, path } = node;
  if (gate !== undefined && node.isKept) return settleOff({ gate, path }, change, effects);
  const { wanted, present, isNew } = change;
  if (wanted === undefined && present === undefined) return undefined;
  const settled = isObject(wanted) ? settleBelow(node, wanted, change, effects) : wanted;
  if (!isObject(wanted) && isObject(present)) noteRemoved(node, present, path, effects);
  if (gate?.preRelease !== 'deprecated') return settled;
  if (isNew ? settled !== undefined : !equal(settled, present))
    effects.push({ kind: 'deprecated', gate, path });
  return settled;
}

function settleOff(
  field: Pick<GateEffect, 'gate' | 'path'>,
  { wanted, present }: FieldChange,
  effects: GateEffect[],
): JsonValue | undefined {
  if (wanted === present || (wanted !== undefined && equal(wanted, present))) return wanted;
  const kind = present === undefined ? 'dropped' : wanted === undefined ? 'omitted' : 'frozen';
  effects.push({ kind, ...field });
  return present;
}

function settleBelow(
  node: GateNode,
  wanted: JsonObject,
  { present, isNew }: FieldChange,
  effects: GateEffect[],
): JsonObject {
  const before = isObject(present) ? present : undefined;
  let changes: Map<string, JsonValue | undefined> | undefined;
  for (const [key, child] of node.below) {
    const value = own(wanted, key);
    const settled = settle(child, { wanted: value, present: before && own(before, key), isNew }, effects);
    if (settled === value) continue;
    changes ??= new Map();
    changes.set(key, settled);
  }
  return changes === undefined ? wanted : withChanges(wanted, changes);
}

/** A copy with other values in some fields, and without those that are to be absent. */
function withChanges(object: JsonObject, changes: ReadonlyMap<string, JsonValue | undefined>): JsonObject {
  const copy: JsonObject = {};
  // Made anew instead of deleted from: engines never again treat an object well that something was deleted from.
  for (const key of Object.keys(object)) {
    const value = changes.has(key) ? changes.get(key) : own(object, key);
    if (value !== undefined) put(copy, key, value);
  }
  for (const [key, value] of changes) {
    if (value !== undefined && !Object.hasOwn(object, key)) put(copy, key, value);
  }
  return copy;
}

/** Notes what goes with a field that a write took away. */
function noteRemoved(node: GateNode, present: JsonObject, above: string, effects: GateEffect[]): void {
  for (const [key, child] of node.below) {
    const value = own(present, key);
    if (value === undefined) continue;
    const { gate, path } = child;
    if (gate !== undefined && child.isKept) effects.push({ kind: 'removed', gate, path, above });
    else if (gate?.preRelease === 'deprecated') effects.push({ kind: 'deprecated', gate, path });
    if (isObject(value)) noteRemoved(child, value, above, effects);
  }
}
