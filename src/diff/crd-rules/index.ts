import type { CrdRule } from './crd-rule.ts';
import { featureGates } from './feature-gates.ts';
import { identity } from './identity.ts';
import { versions } from './versions.ts';

/** All rules about CRDs, by name; a new one is a file and a line here. */
export const crdRules: ReadonlyMap<string, CrdRule> = new Map([
  ['identity', identity],
  ['feature-gates', featureGates],
  ['versions', versions],
]);
