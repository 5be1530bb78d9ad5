import type { KubeList, KubeObject } from '../api/kube-object.ts';
import type { Kind } from '../api/kinds.ts';
import { collectionPath, type ResourceRef } from '../api/paths.ts';
import { getJson } from '../api/request.ts';

/** An object with an owner reference. */
export interface Dependent {
  readonly kind: string;
  readonly ref: ResourceRef;
  readonly name: string;
  readonly namespace: string;
  readonly blocks: boolean;
}

export interface FoundDependents {
  readonly dependents: readonly Dependent[];
  /** Kinds that the user may not list, or with too many objects to search. */
  readonly notLookedAt: readonly string[];
}

const atOnceMax = 4;
const pageObjects = 500;
const pagesMax = 20;

/**
 * Searches all kinds for dependents of an object; owners of namespaced objects are in their namespace or
 * cluster-scoped.
 */
export async function findDependents(
  owner: KubeObject,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<FoundDependents> {
  const { namespace = '', uid = '' } = owner.metadata;
  const waiting = kinds.filter(({ namespaced }) => namespace === '' || namespaced);
  const dependents: Dependent[] = [];
  const notLookedAt: string[] = [];
  const worker = async () => {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
      try {
        dependents.push(...(await dependentsOfKind(kind, { namespace, uid }, signal)));
      } catch {
        notLookedAt.push(kind.kind);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, worker));
  return { dependents: dependents.sort((a, b) => (a.kind + a.name < b.kind + b.name ? -1 : 1)), notLookedAt };
}

async function dependentsOfKind(
  kind: Kind,
  { namespace, uid }: { readonly namespace: string; readonly uid: string },
  signal: AbortSignal,
): Promise<Dependent[]> {
  const [{ version }] = kind.versions;
  const ref = { group: kind.group, version, plural: kind.plural };
  const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const found: Dependent[] = [];
  let token = '';
  for (let page = 0; page < pagesMax; page += 1) {
    const path = `${collectionPath(ref, namespace)}?limit=${pageObjects}&continue=${encodeURIComponent(token)}`;
    const { metadata, items } = await getJson<KubeList<KubeObject>>(path, { accept, signal });
    for (const { metadata: one } of items ?? []) {
      const reference = one.ownerReferences?.find((owner) => owner.uid === uid);
      if (reference === undefined) continue;
      found.push({
        kind: kind.kind,
        ref,
        name: one.name,
        namespace: one.namespace ?? '',
        blocks: reference.blockOwnerDeletion === true,
      });
    }
    token = metadata.continue ?? '';
    if (token === '') return found;
  }
  throw new Error('too many objects to look through');
}
