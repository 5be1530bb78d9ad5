import type { ScaleSubresource } from '../../crd/index.ts';
import { type FieldError, invalid, type KubeObject } from '../../meta/index.ts';
import { NestedFieldError, nestedInt64, nestedString } from './nested-field.ts';

const replicasMax = 2_147_483_647;

/** What must hold of the spec of an object that can be scaled. */
export function scaleSpecErrors(object: KubeObject, { specReplicasPath }: ScaleSubresource): FieldError[] {
  return replicasErrors(object, specReplicasPath);
}

/** What must hold of the status of an object that can be scaled. */
export function scaleStatusErrors(object: KubeObject, paths: ScaleSubresource): FieldError[] {
  return [
    ...replicasErrors(object, paths.statusReplicasPath),
    ...selectorErrors(object, paths.labelSelectorPath),
  ];
}

/** Replicas that are not there are zero. */
function replicasErrors(object: KubeObject, path: string): FieldError[] {
  return atPath(path, 0, () => {
    const replicas = nestedInt64(object, path) ?? 0;
    if (replicas < 0) return [invalid(path, replicas, 'should be a non-negative integer')];
    if (replicas <= replicasMax) return [];
    return [invalid(path, replicas, `should be less than or equal to ${replicasMax}`)];
  });
}

function selectorErrors(object: KubeObject, path: string | undefined): FieldError[] {
  if (path === undefined) return [];
  return atPath(path, '', () => {
    nestedString(object, path);
    return [];
  });
}

function atPath(path: string, zero: number | string, check: () => FieldError[]): FieldError[] {
  try {
    return check();
  } catch (error) {
    if (error instanceof NestedFieldError) return [invalid(path, zero, error.message)];
    throw error;
  }
}
