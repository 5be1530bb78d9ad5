import { type JsonObject, ownObject } from '../../meta/index.ts';
import { everyEntry, type FieldSteps } from '../../schema/index.ts';
import { objectsOf, stringsOf, textOf } from '../spec-view.ts';
import { type FieldGate, fieldGate, gateSettings, isFeatureGateEnabled } from './field-gate.ts';
import { gatedSteps, pathText } from './gated-path.ts';
import { type ListKey, listKeysOf, schemaAtSteps } from './list-keys.ts';

/** A gated field, or a field on the path to one. */
export interface GateNode {
  /** `spec.color`, `spec.pools[*].size`; empty for the root. */
  readonly path: string;
  /** The gate of this field; undefined if it has none. */
  readonly gate: FieldGate | undefined;
  /** True if that gate is off: writes do not change the field. */
  readonly isKept: boolean;
  readonly below: ReadonlyMap<string, GateNode>;
  /** Every item of a keyed list, or every map entry; undefined if no path continues there. */
  readonly each: EachEntry | undefined;
}

/** The items of a keyed list, or the entries of a map, that contain gated fields. */
export interface EachEntry {
  readonly node: GateNode;
  /** The keys that correlate list items; empty if the schema has no keyed list there. */
  keys(): readonly ListKey[];
}

/** The part of an object that an endpoint writes: all, the status, or all but the status. */
export type WrittenPart = 'whole' | 'status' | 'rest';

/** The gates on the fields of a custom resource, compiled once for each state of its CRD. */
export interface FieldGates {
  /** In the order of the CRD. */
  readonly gates: readonly FieldGate[];
  /** Every gated field. */
  readonly fields: GateNode;
  /** The fields whose gate is off, as paths of field names. */
  readonly off: readonly FieldSteps[];
  /** The nodes that affect writes, by the part written; undefined where none does. */
  readonly acting: Readonly<Record<WrittenPart, ActingGates | undefined>>;
}

/** The gates that are off or deprecated. */
export interface ActingGates {
  /** The nodes on the paths to their fields; nothing below a field whose gate is off. */
  readonly root: GateNode;
  /** The fields whose gate is off; none of them is below another. */
  readonly off: readonly FieldOff[];
}

/** A field whose gate is off. */
interface FieldOff {
  readonly gate: FieldGate;
  /** `spec.color`, `spec.pools[*].size` */
  readonly path: string;
  readonly steps: FieldSteps;
}

/**
 * The gates of the spec of a CRD; undefined where it has none.
 *
 * @param schema of the storage version; it says how list items correlate. Called on first use
 */
export function compileFieldGates(
  spec: JsonObject,
  schema: () => JsonObject | undefined = () => undefined,
): FieldGates | undefined {
  const custom = ownObject(spec, 'customFeatureGates');
  const raws = custom === undefined ? [] : objectsOf(custom, 'featureGates');
  if (custom === undefined || raws.length === 0) return undefined;
  const draft = draftTree(raws);
  const reasons = disabledReasons(raws, draft);
  const gates = raws.map((raw, index) => fieldGate(raw, textOf(custom, 'component'), reasons.get(index)));
  const fields = finishTree(draft, { gates, schema }, []);
  const root = actingTree(fields);
  return Object.freeze({
    gates: Object.freeze(gates),
    fields,
    off: Object.freeze([...fieldsOff(fields, [])].map(({ steps }) => steps)),
    acting: Object.freeze({
      whole: actingGates(root, () => true),
      status: actingGates(root, (name) => name === 'status'),
      rest: actingGates(root, (name) => name !== 'status'),
    }),
  });
}

/** A node before the gate states are known: gates are indexes into the CRD's list. */
interface Draft {
  gate: number | undefined;
  readonly below: Map<string, Draft>;
}

function draftTree(raws: readonly JsonObject[]): Draft {
  const root: Draft = { gate: undefined, below: new Map() };
  for (const [index, raw] of raws.entries()) {
    for (const steps of stepsOf(raw)) {
      let node = root;
      for (const step of steps) {
        const next = node.below.get(step) ?? { gate: undefined, below: new Map() };
        node.below.set(step, next);
        node = next;
      }
      // Validation accepts one gate per path. In a CRD that was not validated, the first one applies.
      node.gate ??= index;
    }
  }
  return root;
}

function stepsOf(raw: JsonObject): FieldSteps[] {
  return stringsOf(raw, 'fieldPaths').flatMap((path) => {
    const steps = gatedSteps(path);
    return steps === undefined ? [] : [steps];
  });
}

/**
 * The gates that are off, each with the gate that causes it. A gate is nested in the gates on the paths to its
 * fields; it is on, for all its fields, only while all of these are on. Source: KEP-2608, "if a feature is disabled,
 * then all features that depend on this feature should also then be considered as disabled".
 */
function disabledReasons(raws: readonly JsonObject[], root: Draft): ReadonlyMap<number, string> {
  const nested = nestedGates(raws, root);
  const reasons = new Map<number, string>();
  for (const [index, raw] of raws.entries()) {
    if (!isFeatureGateEnabled(gateSettings(raw))) reasons.set(index, textOf(raw, 'name'));
  }
  // Gates added in the loop are visited too: the cause propagates through nested gates.
  for (const [index, reason] of reasons) {
    for (const inner of nested.get(index) ?? []) if (!reasons.has(inner)) reasons.set(inner, reason);
  }
  return reasons;
}

/** The nested gates of each gate. */
function nestedGates(raws: readonly JsonObject[], root: Draft): ReadonlyMap<number, ReadonlySet<number>> {
  const nested = new Map<number, Set<number>>();
  for (const [index, raw] of raws.entries()) {
    for (const steps of stepsOf(raw)) {
      for (const above of gatesOnTheWay(root, steps)) {
        if (above === index) continue;
        const inner = nested.get(above) ?? new Set();
        nested.set(above, inner.add(index));
      }
    }
  }
  return nested;
}

function* gatesOnTheWay(root: Draft, steps: FieldSteps): Generator<number> {
  let node: Draft | undefined = root;
  for (const step of steps) {
    if (node?.gate !== undefined) yield node.gate;
    node = node?.below.get(step);
  }
}

/** The inputs for the final tree. */
interface TreeParts {
  readonly gates: readonly FieldGate[];
  schema(): JsonObject | undefined;
}

function finishTree(draft: Draft, parts: TreeParts, steps: FieldSteps): GateNode {
  const below = new Map<string, GateNode>();
  let each: EachEntry | undefined;
  for (const [step, child] of draft.below) {
    const node = finishTree(child, parts, [...steps, step]);
    if (step === everyEntry) each = eachEntry(node, parts, steps);
    else below.set(step, node);
  }
  const gate = draft.gate === undefined ? undefined : parts.gates[draft.gate];
  return Object.freeze({ path: pathText(steps), gate, isKept: gate?.enabled === false, below, each });
}

function eachEntry(node: GateNode, { schema }: TreeParts, steps: FieldSteps): EachEntry {
  let keys: readonly ListKey[] | undefined;
  const read = () => listKeysOf(schemaAtSteps(schema() ?? {}, steps) ?? {});
  return Object.freeze({ node, keys: () => (keys ??= read()) });
}

function* fieldsOff({ gate, isKept, path, below, each }: GateNode, steps: FieldSteps): Generator<FieldOff> {
  if (gate !== undefined && isKept) yield { gate, path, steps };
  for (const [step, child] of below) yield* fieldsOff(child, [...steps, step]);
  if (each !== undefined) yield* fieldsOff(each.node, [...steps, everyEntry]);
}

/** The tree without nodes that have no effect: those below a field that is off, and those on and not deprecated. */
function actingTree(node: GateNode): GateNode | undefined {
  if (node.isKept) return Object.freeze({ ...node, below: new Map(), each: undefined });
  const below = new Map<string, GateNode>();
  for (const [step, child] of node.below) {
    const acting = actingTree(child);
    if (acting !== undefined) below.set(step, acting);
  }
  const entry = node.each && actingTree(node.each.node);
  const each = entry && Object.freeze({ ...node.each, node: entry });
  const acts = below.size > 0 || each !== undefined || node.gate?.preRelease === 'deprecated';
  return acts ? Object.freeze({ ...node, below, each }) : undefined;
}

/** The gates below these fields of the root. */
function actingGates(root: GateNode | undefined, isPart: (name: string) => boolean): ActingGates | undefined {
  const below = new Map([...(root?.below ?? [])].filter(([name]) => isPart(name)));
  if (root === undefined || below.size === 0) return undefined;
  const part = Object.freeze({ ...root, below });
  return Object.freeze({ root: part, off: Object.freeze([...fieldsOff(part, [])]) });
}
