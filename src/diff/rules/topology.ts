import { equal, goJson, type JsonValue, own } from '../../meta/index.ts';
import { breaking, type Difference } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** The defaults of absent keywords. */
const keywords: readonly (readonly [name: string, implied: JsonValue])[] = [
  ['x-kubernetes-list-type', 'atomic'],
  ['x-kubernetes-list-map-keys', []],
  ['x-kubernetes-map-type', 'granular'],
];

/** How lists and maps merge, and what must be unique in them; ownership of their parts depends on it. */
export function topology({ before, after }: SchemaPair): Difference[] {
  return keywords.flatMap(([name, implied]) => {
    const [was, is] = [own(before, name) ?? implied, own(after, name) ?? implied];
    return equal(was, is) ? [] : [breaking(`${name} changed from ${goJson(was)} to ${goJson(is)}`)];
  });
}
