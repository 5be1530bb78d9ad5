import { compileFieldGates, enumGatesKeyword, type FieldGate } from '../../crd/index.ts';
import { goJson, isObject, type JsonObject, ownList, ownObject, ownString } from '../../meta/index.ts';

/** The tags of fields and values with a feature gate (KEP-2608), by field path; stable gates have no tag. */
export function gateTags(spec: JsonObject, schema: JsonObject): (path: string) => readonly string[] {
  const tags = new Map<string, string[]>();
  const add = (path: string, tag: string) => tags.set(path, [...(tags.get(path) ?? []), tag]);
  const gates = compileFieldGates(spec)?.gates ?? [];
  for (const gate of gates) {
    const tag = tagOf(gate);
    if (tag !== undefined) for (const path of gate.fieldPaths) add(path, tag);
  }
  const named = new Map(gates.map((gate) => [gate.name, gate]));
  for (const { path, gate: name, values } of gates.length === 0 ? [] : gatedValues(schema, '')) {
    const gate = named.get(name);
    const tag = gate && tagOf(gate);
    if (tag !== undefined) add(path, tag.replace('feature gate', `${values}: feature gate`));
  }
  return (path) => tags.get(path) ?? [];
}

/** Enum values that apply only while a gate is on. */
interface GatedValues {
  readonly path: string;
  readonly gate: string;
  /** `"Purple", "Pink"` */
  readonly values: string;
}

function* gatedValues(schema: JsonObject, path: string): Generator<GatedValues> {
  for (const raw of (ownList(schema, enumGatesKeyword) ?? []).filter(isObject)) {
    const values = (ownList(raw, 'values') ?? []).map((value) => goJson(value)).join(', ');
    yield { path, gate: ownString(raw, 'featureGate') ?? '', values };
  }
  for (const [name, child] of Object.entries(ownObject(schema, 'properties') ?? {})) {
    if (isObject(child)) yield* gatedValues(child, `${path}.${name}`);
  }
  for (const field of ['items', 'additionalProperties']) {
    const child = ownObject(schema, field);
    if (child !== undefined) yield* gatedValues(child, `${path}[*]`);
  }
}

function tagOf({ name, preRelease, default: isOn, deprecationWarning }: FieldGate): string | undefined {
  switch (preRelease) {
    case 'alpha':
    case 'beta':
      return `@${preRelease} feature gate ${name}, ${isOn ? 'on' : 'off'} by default`;
    case 'deprecated':
      return `@deprecated ${deprecationWarning ?? `feature gate ${name}`}`;
    default:
      return undefined;
  }
}
