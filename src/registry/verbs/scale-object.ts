import type { ScaleSubresource } from '../../crd/index.ts';
import {
  badRequestError,
  goQuote,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  own,
  ownObject,
} from '../../meta/index.ts';
import { nestedInt64, nestedString, setNested } from '../../kinds/index.ts';

export const scaleApiVersion = 'autoscaling/v1';

/** A placeholder for unset replicas while a Scale is changed, to detect a change that leaves them out. */
const unsetReplicas = -2147483648;

/** A Scale of an object, and whether the object has replicas. */
interface FoundScale {
  readonly scale: KubeObject;
  readonly replicasFound: boolean;
}

/**
 * The Scale of an object. Source: apiextensions-apiserver, registry/customresource/etcd.go.
 *
 * @throws {NestedFieldError} if a path leads to a value of the wrong type
 */
export function scaleOf(object: KubeObject, paths: ScaleSubresource): FoundScale {
  const replicas = nestedInt64(object, paths.specReplicasPath);
  const statusReplicas = int32(nestedInt64(object, paths.statusReplicasPath) ?? 0);
  const selector = selectorOf(object, paths);
  const scale: KubeObject = {
    kind: 'Scale',
    apiVersion: scaleApiVersion,
    metadata: scaleMetadata(object),
    spec: specOf(int32(replicas ?? 0)),
    status: selector === '' ? { replicas: statusReplicas } : { replicas: statusReplicas, selector },
  };
  return { scale, replicasFound: replicas !== undefined };
}

function selectorOf(object: KubeObject, { labelSelectorPath, readSelector }: ScaleSubresource): string {
  if (readSelector !== undefined) return readSelector(object);
  return labelSelectorPath === undefined ? '' : (nestedString(object, labelSelectorPath) ?? '');
}

/** The Scale that a change starts from. @throws {NestedFieldError} as {@link scaleOf} */
export function scaleToChange(object: KubeObject, paths: ScaleSubresource): KubeObject {
  const { scale, replicasFound } = scaleOf(object, paths);
  return replicasFound ? scale : { ...scale, spec: { replicas: unsetReplicas } };
}

/**
 * Writes a changed Scale into its object, in place: the replicas, and the resourceVersion that the client requires.
 *
 * @throws {StatusError} 400 if the replicas are not set
 * @throws {NestedFieldError} if they cannot be set in the object
 */
export function takeScale(object: KubeObject, scale: KubeObject, paths: ScaleSubresource): void {
  const replicas = own(ownObject(scale, 'spec') ?? {}, 'replicas') ?? 0;
  if (replicas === unsetReplicas) {
    throw badRequestError(`the spec replicas field ${goQuote(paths.specReplicasPath)} cannot be empty`);
  }
  setNested(object, paths.specReplicasPath, replicas);
  const resourceVersion = metadataString(scale, 'resourceVersion');
  if (resourceVersion !== '') metadataOf(object)['resourceVersion'] = resourceVersion;
}

/** Upstream's struct omits zero replicas. */
function specOf(replicas: number): JsonObject {
  return replicas === 0 ? {} : { replicas };
}

/** Larger numbers lose their upper bits, as in Go; no write stores such. */
function int32(value: number | bigint): number {
  return Number(BigInt.asIntN(32, BigInt(value)));
}

const shownMetadata = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'] as const;

function scaleMetadata(object: KubeObject): JsonObject {
  const metadata: JsonObject = {};
  for (const field of shownMetadata) {
    const value = own(metadataOf(object), field);
    if (value !== undefined) metadata[field] = value;
  }
  return metadata;
}
