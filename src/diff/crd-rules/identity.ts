import { equal, goJson, type JsonObject, own, ownList, ownObject } from '../../meta/index.ts';
import { breaking, safe } from '../change.ts';
import type { CrdDifference, CrdPair } from './crd-rule.ts';

const everywhere = { version: '', path: '' } as const;

/** Group, scope and names. */
export function identity({ before, after }: CrdPair): CrdDifference[] {
  const [was, is] = [names(before), names(after)];
  return [
    ...changed('group', before, after),
    ...changed('scope', before, after),
    ...['plural', 'kind', 'singular', 'listKind'].flatMap((name) => changed(name, was, is)),
    ...['shortNames', 'categories'].flatMap((name) => listChanged(name, was, is)),
  ];
}

function names(spec: JsonObject): JsonObject {
  return ownObject(spec, 'names') ?? {};
}

/** Fields that a CRD leaves out and the server sets are taken from the other CRD. */
function changed(name: string, before: JsonObject, after: JsonObject): CrdDifference[] {
  const [was, is] = [own(before, name), own(after, name)];
  if (was === undefined || is === undefined || equal(was, is)) return [];
  return [{ ...everywhere, ...breaking(`${name} changed from ${goJson(was)} to ${goJson(is)}`) }];
}

function listChanged(name: string, before: JsonObject, after: JsonObject): CrdDifference[] {
  const [was, is] = [ownList(before, name) ?? [], ownList(after, name) ?? []].map((list) => list.map(String));
  const gone = (was ?? []).filter((one) => is?.includes(one) !== true);
  const added = (is ?? []).filter((one) => was?.includes(one) !== true);
  return [
    ...gone.map((one) => ({ ...everywhere, ...breaking(`${name}: ${one} is gone`) })),
    ...added.map((one) => ({ ...everywhere, ...safe(`${name}: ${one} is new`) })),
  ];
}
