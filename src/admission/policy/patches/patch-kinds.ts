import { applyConfiguration } from './apply-configuration.ts';
import { jsonPatch } from './json-patch.ts';
import type { PatchKind } from './patch-kind.ts';

/** All types of mutations. */
export const patchKinds: readonly PatchKind[] = Object.freeze([applyConfiguration, jsonPatch]);
