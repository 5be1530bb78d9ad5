import type { KubeList, KubeObject } from '../api/kube-object.ts';
import type { Kind } from '../api/kinds.ts';
import { collectionPath } from '../api/paths.ts';
import { getJson } from '../api/request.ts';
import { type OwnedObject, type Related, relatedAmong } from './related.ts';

const atOnceMax = 4;
const pageObjects = 500;
const pagesMax = 20;

/** Looks through all kinds for what belongs together; owners of objects in a namespace are in it, or in none. */
export async function findRelated(
  object: KubeObject,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<Related> {
  const { namespace = '' } = object.metadata;
  const waiting = kinds.filter(({ namespaced }) => namespace === '' || namespaced);
  const owned: OwnedObject[] = [];
  const notLookedAt: string[] = [];
  const worker = async () => {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
      try {
        owned.push(...(await ownedOfKind(kind, namespace, signal)));
      } catch {
        notLookedAt.push(kind.kind);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, worker));
  owned.sort((a, b) => (a.kind + a.name < b.kind + b.name ? -1 : 1));
  return { ...relatedAmong(object, owned, kinds), notLookedAt };
}

async function ownedOfKind(kind: Kind, namespace: string, signal: AbortSignal): Promise<OwnedObject[]> {
  const [{ version }] = kind.versions;
  const ref = { group: kind.group, version, plural: kind.plural };
  const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const found: OwnedObject[] = [];
  let token = '';
  for (let page = 0; page < pagesMax; page += 1) {
    const path = `${collectionPath(ref, namespace)}?limit=${pageObjects}&continue=${encodeURIComponent(token)}`;
    const { metadata, items } = await getJson<KubeList<KubeObject>>(path, { accept, signal });
    for (const { metadata: one } of items ?? []) {
      const { uid = '', name, namespace: own = '', ownerReferences: owners = [] } = one;
      if (owners.length > 0) found.push({ uid, kind: kind.kind, ref, name, namespace: own, owners });
    }
    token = metadata.continue ?? '';
    if (token === '') return found;
  }
  throw new Error('too many objects to look through');
}
