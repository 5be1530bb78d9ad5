import { type KubeObject, ownObject } from '../meta/index.ts';
import type { Change } from './change.ts';
import { crdRules } from './crd-rules/index.ts';

/** All differences of two CRDs that affect users, clients or stored objects. */
export function compareCrds(before: KubeObject, after: KubeObject): Change[] {
  const pair = { before: ownObject(before, 'spec') ?? {}, after: ownObject(after, 'spec') ?? {} };
  return [...crdRules].flatMap(([rule, compare]) => compare(pair).map((change) => ({ rule, ...change })));
}
