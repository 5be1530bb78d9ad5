import { compileFieldGates, type FieldGate } from '../../crd/index.ts';
import type { JsonObject } from '../../meta/index.ts';

/** The tags of fields that have a feature gate (KEP-2608), by their paths; the gate of a stable field says nothing. */
export function gateTags(spec: JsonObject): (path: string) => readonly string[] {
  const tags = new Map<string, string[]>();
  for (const gate of compileFieldGates(spec)?.gates ?? []) {
    const tag = tagOf(gate);
    if (tag === undefined) continue;
    for (const path of gate.fieldPaths) tags.set(path, [...(tags.get(path) ?? []), tag]);
  }
  return (path) => tags.get(path) ?? [];
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
