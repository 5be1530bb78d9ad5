import type { KubeObject } from '../../meta/index.ts';
import type { CompiledSchema } from '../../schema/index.ts';
import { always, int32, omitEmpty, string, struct } from './go-type.ts';
import { normalizeTyped, type TypedKind, type TypedNormalizeOptions } from './normalize-typed.ts';

/** Zero replicas are omitted in the spec and written in the status, as in upstream's struct. */
const scaleKind: TypedKind = {
  kind: 'Scale',
  spec: struct('ScaleSpec', () => ({ replicas: omitEmpty(int32) })),
  status: struct('ScaleStatus', () => ({ replicas: always(int32), selector: omitEmpty(string()) })),
};

/**
 * The schema of autoscaling/v1 Scale, the body of `/scale`. It has no validation: the scaled object is validated
 * instead.
 */
export function scaleSchema(): CompiledSchema {
  return Object.freeze({
    normalize: normalizeScale,
    validate: () => ({ errors: [], warnings: [] }),
    comparesWithOld: false,
  });
}

/** @throws {CrdDecodeError} for a value of the wrong type. */
function normalizeScale(scale: KubeObject, options?: TypedNormalizeOptions): void {
  normalizeTyped(scale, scaleKind, options);
}
