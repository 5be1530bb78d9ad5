import type { FuzzTarget } from '../target.ts';
import { bodies } from './bodies.ts';
import { cel } from './cel.ts';
import { crdSchemas } from './crd-schemas.ts';
import { frames } from './frames.ts';
import { patches } from './patches.ts';
import { protobuf } from './protobuf.ts';
import { selectors } from './selectors.ts';

/** Everything that is fuzzed, in this order; a new target is a file and a line here. */
export const targets: readonly FuzzTarget[] = [bodies, patches, protobuf, crdSchemas, cel, selectors, frames];
