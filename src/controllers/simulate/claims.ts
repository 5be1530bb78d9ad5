import {
  type JsonObject,
  type KubeObject,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { isHeld } from './course.ts';
import { isDeleted, specOf, statusOf, uidOf } from './fields.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { claims, volumes } from './resources.ts';

/** Binds a volume to each claim at once, regardless of the binding mode of its class. */
export const claimReconciler: Reconciler = {
  resource: claims,
  async sync(claim, cluster) {
    if (isDeleted(claim) || isHeld(claim) || own(statusOf(claim), 'phase') === 'Bound') return;
    const name = ownString(specOf(claim), 'volumeName') || `pvc-${uidOf(claim)}`;
    const volume = await volumeFor(claim, name, cluster);
    const bound =
      ownString(specOf(claim), 'volumeName') === name
        ? claim
        : await cluster.write.update(claims, { ...claim, spec: { ...specOf(claim), volumeName: name } });
    const capacity = own(specOf(volume), 'capacity') ?? {};
    const accessModes = own(specOf(volume), 'accessModes') ?? [];
    await cluster.write.setStatus(claims, bound, {
      ...statusOf(bound),
      phase: 'Bound',
      accessModes,
      capacity,
    });
  },
};

async function volumeFor(claim: KubeObject, name: string, cluster: Cluster): Promise<KubeObject> {
  const { view, write } = cluster;
  const claimRef = {
    kind: claims.kind,
    apiVersion: 'v1',
    namespace: namespaceOf(claim),
    name: nameOf(claim),
    uid: uidOf(claim),
    resourceVersion: metadataString(claim, 'resourceVersion') ?? '',
  };
  if (view.get(volumes, `/${name}`) === undefined) {
    await write.create(volumes, { metadata: { name }, spec: { ...volumeSpec(claim, name), claimRef } });
  }
  const made = view.get(volumes, `/${name}`) ?? {};
  const isOurs = ownString(ownObject(specOf(made), 'claimRef') ?? {}, 'uid') === uidOf(claim);
  const volume = isOurs
    ? made
    : await write.update(volumes, { ...made, spec: { ...specOf(made), claimRef } });
  return write.setStatus(volumes, volume, { ...statusOf(volume), phase: 'Bound' });
}

function volumeSpec(claim: KubeObject, name: string): JsonObject {
  const spec = specOf(claim);
  const requests = ownObject(ownObject(spec, 'resources') ?? {}, 'requests') ?? {};
  return {
    capacity: { storage: own(requests, 'storage') ?? '1Gi' },
    accessModes: own(spec, 'accessModes') ?? ['ReadWriteOnce'],
    volumeMode: own(spec, 'volumeMode') ?? 'Filesystem',
    persistentVolumeReclaimPolicy: 'Delete',
    ...(own(spec, 'storageClassName') !== undefined && {
      storageClassName: own(spec, 'storageClassName') ?? '',
    }),
    hostPath: { path: `/simulated/${name}` },
  };
}
