import {
  equal,
  goJson,
  isObject,
  type JsonObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../../meta/index.ts';
import { breaking, type Change, safe } from '../change.ts';
import type { CrdPair } from './crd-rule.ts';

/** Gates on fields (KEP-2608): what one lets through, and when. */
export function featureGates({ before, after }: CrdPair): Change[] {
  const [was, is] = [gatesOf(before), gatesOf(after)];
  const added = [...is.keys()].filter((name) => !was.has(name));
  return [
    ...added.map((name) => about(safe(`feature gate ${name} is new`))),
    ...[...was].flatMap(([name, old]) => compareGate(name, old, is.get(name))),
  ];
}

function about(difference: Pick<Change, 'severity' | 'message'>): Change {
  return { version: '', path: '', ...difference };
}

function gatesOf(spec: JsonObject): Map<string, JsonObject> {
  const list = ownList(ownObject(spec, 'customFeatureGates') ?? {}, 'featureGates') ?? [];
  return new Map(list.filter(isObject).map((gate) => [ownString(gate, 'name') ?? '', gate]));
}

const aspects = ['preRelease', 'default', 'enabled', 'fieldPaths'] as const;

function compareGate(name: string, before: JsonObject, after: JsonObject | undefined): Change[] {
  if (after === undefined) return [about(safe(`feature gate ${name} is gone: its fields are always there`))];
  return aspects.flatMap((aspect) => {
    const [was, is] = [own(before, aspect) ?? null, own(after, aspect) ?? null];
    if (equal(was, is)) return [];
    const text = `feature gate ${name}: ${aspect} changed from ${goJson(was)} to ${goJson(is)}`;
    return [about(isForward(aspect, is) ? safe(text) : breaking(text))];
  });
}

/** Towards fields that are there for everybody. */
function isForward(aspect: (typeof aspects)[number], value: unknown): boolean {
  if (aspect === 'preRelease') return value === 'beta' || value === 'stable';
  return aspect !== 'fieldPaths' && value !== false;
}
