import { applyConfiguration } from './apply-configuration.ts';
import { jsonPatch } from './json-patch.ts';
import type { PatchKind } from './patch-kind.ts';

/** Every way in which a mutation says what it changes. */
export const patchKinds: readonly PatchKind[] = Object.freeze([applyConfiguration, jsonPatch]);
