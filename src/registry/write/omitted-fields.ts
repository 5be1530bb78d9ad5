import { fieldElement, keyElement, type PathElement } from '../../apply/index.ts';
import { entryText, type FieldGate, type GateNode, itemIdentity, itemText } from '../../crd/index.ts';
import { isObject, type JsonObject, type JsonValue, own, put } from '../../meta/index.ts';

/** A step to a field of a configuration: its path element, and its name or index in the value. */
export interface Step {
  readonly element: PathElement;
  readonly at: string | number;
  /** In path notation: `.color`, `[name="a"]`. */
  readonly text: string;
}

/** A field whose gate is off, which the live object has and a configuration omits. */
export interface OmittedField {
  readonly gate: FieldGate;
  readonly steps: readonly Step[];
  readonly value: JsonValue;
}

/** A place in a configuration and in the live object. */
interface Place {
  readonly applied: JsonValue | undefined;
  readonly old: JsonValue;
  readonly steps: readonly Step[];
}

/**
 * The fields whose gates are off that a configuration omits although the live object has them. An omitted item or map
 * entry omits all its fields.
 *
 * @param node of `FieldGates.acting`
 */
export function* omittedFields(node: GateNode, { applied, old, steps }: Place): Generator<OmittedField> {
  const { gate } = node;
  if (gate !== undefined && node.isKept) {
    if (applied === undefined) yield { gate, steps, value: old };
    return;
  }
  if (isObject(old)) {
    const config = isObject(applied) ? applied : undefined;
    for (const [name, child] of node.below) {
      const step = { element: fieldElement(name), at: name, text: `.${name}` };
      yield* omittedBelow(child, step, { applied: config, old, steps });
    }
    for (const name of Object.keys((node.each && config) ?? {})) {
      if (node.each === undefined || node.below.has(name)) continue;
      const step = { element: fieldElement(name), at: name, text: entryText(name) };
      yield* omittedBelow(node.each.node, step, { applied: config, old, steps });
    }
  }
  if (Array.isArray(old) && Array.isArray(applied)) yield* omittedInItems(node, { applied, old, steps });
}

function* omittedBelow(
  node: GateNode,
  step: Step & { readonly at: string },
  { applied, old, steps }: Place & { readonly applied: JsonObject | undefined; readonly old: JsonObject },
): Generator<OmittedField> {
  const value = own(old, step.at);
  if (value === undefined) return;
  const inner = applied && own(applied, step.at);
  yield* omittedFields(node, { applied: inner, old: value, steps: [...steps, step] });
}

function* omittedInItems(
  { each }: GateNode,
  { applied, old, steps }: Place & { readonly applied: JsonValue[]; readonly old: JsonValue[] },
): Generator<OmittedField> {
  const keys = each?.keys() ?? [];
  if (each === undefined || keys.length === 0) return;
  const items = new Map(old.map((item) => [itemText(item, keys), item]));
  for (const [at, item] of applied.entries()) {
    const [text, identity] = [itemText(item, keys), itemIdentity(item, keys)];
    const present = items.get(text);
    if (text === undefined || identity === undefined || present === undefined) continue;
    const step = { element: keyElement(identity), at, text };
    yield* omittedFields(each.node, { applied: item, old: present, steps: [...steps, step] });
  }
}

/** Sets a missing field, and its missing parents; shared parts are copied. */
export function putOmitted(
  holder: JsonObject | JsonValue[],
  [step, ...rest]: readonly Step[],
  value: JsonValue,
): void {
  if (step === undefined) return;
  const present = Array.isArray(holder) ? holder[Number(step.at)] : own(holder, String(step.at));
  if (rest.length === 0) {
    if (present === undefined) putAt(holder, step.at, value);
    return;
  }
  const inner = copyOf(present);
  if (inner === undefined) return;
  putAt(holder, step.at, inner);
  putOmitted(inner, rest, value);
}

function putAt(holder: JsonObject | JsonValue[], at: string | number, value: JsonValue): void {
  if (Array.isArray(holder)) holder[Number(at)] = value;
  else put(holder, String(at), value);
}

/** Undefined for a value that cannot have the field. */
function copyOf(value: JsonValue | undefined): JsonObject | JsonValue[] | undefined {
  if (value === undefined) return {};
  if (Array.isArray(value)) return [...value];
  return isObject(value) ? { ...value } : undefined;
}
