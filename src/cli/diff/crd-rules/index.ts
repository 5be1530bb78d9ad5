import type { CrdRule } from './crd-rule.ts';
import { featureGates } from './feature-gates.ts';
import { identity } from './identity.ts';
import { versions } from './versions.ts';

/** Everything that is compared of a CRD; a new aspect is a file and a line here. */
export const crdRules: readonly CrdRule[] = [identity, featureGates, versions];
