import { createHash } from 'node:crypto';
import type { ResourceType, ResourceVersion } from '../crd/index.ts';

/** A resource or subresource in discovery. */
export interface ApiResource {
  /** `widgets`, or `widgets/status`. */
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  /** If the kind is in another group: `/scale` has a Scale. */
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Empty for subresources and virtual resources. */
  readonly storageVersionHash: string;
}

/** One version of a group and its resources, in discovery order. */
export interface ApiVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ApiResource[];
}

/** A virtual resource, which is not stored, such as a review. */
export interface VirtualResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** False if omitted. */
  readonly namespaced?: boolean;
  /** If the kind is in another group, as for some subresources. */
  readonly kindGroup?: { readonly group: string; readonly version: string };
  /** Only create if omitted. */
  readonly verbs?: readonly string[];
}

/** Upstream sorts the verbs of built-in kinds, and lists those of custom resources in this order. */
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const builtInVerbs = [...customVerbs].sort();
const terminatingVerbs = ['delete', 'deletecollection', 'get', 'list', 'watch'];

function verbsOf(type: ResourceType): readonly string[] {
  if (type.terminating) return terminatingVerbs;
  if (type.lacksDeleteCollection) return builtInVerbs.filter((verb) => verb !== 'deletecollection');
  return type.isBuiltIn ? builtInVerbs : customVerbs;
}

/**
 * The first 8 bytes of a hash of the kind in its storage version; clients use it to detect that objects need migration.
 * Empty if that version is not served, as upstream.
 */
function storageVersionHash({ group, kind, storageVersion }: ResourceType): string {
  if (!storageVersion.served) return '';
  const text = `${group}/${storageVersion.name}/${kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

/** The discovery entries of a resource in one version: itself, then its subresources. */
export function apiResourcesOf(type: ResourceType, version: ResourceVersion): ApiResource[] {
  const own = { group: type.group, version: version.name, kind: type.kind };
  const subresource = { singularName: '', namespaced: type.namespaced, shortNames: [], categories: [] };
  const resources: ApiResource[] = [
    {
      name: type.resource,
      singularName: type.singular,
      namespaced: type.namespaced,
      responseKind: own,
      verbs: verbsOf(type),
      shortNames: type.shortNames,
      categories: type.categories,
      storageVersionHash: storageVersionHash(type),
    },
  ];
  const verbs = ['get', 'patch', 'update'];
  if (version.subresources.status) {
    const name = `${type.resource}/status`;
    resources.push({ ...subresource, name, responseKind: own, verbs, storageVersionHash: '' });
  }
  if (version.subresources.scale !== undefined) {
    const responseKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    resources.push({
      ...subresource,
      name: `${type.resource}/scale`,
      responseKind,
      verbs,
      storageVersionHash: '',
    });
  }
  for (const { name: last, verbs: some } of type.furtherSubresources ?? []) {
    const name = `${type.resource}/${last}`;
    resources.push({ ...subresource, name, responseKind: own, verbs: some, storageVersionHash: '' });
  }
  return type.isBuiltIn ? sortedByName(resources) : resources;
}

/** Upstream sorts the subresources of built-in kinds, and lists those of custom resources status first. */
function sortedByName(resources: readonly ApiResource[]): ApiResource[] {
  return [...resources].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The discovery entry of a virtual resource. */
export function virtualApiResource(virtual: VirtualResource): ApiResource {
  const { group, version, resource, kind, namespaced = false, kindGroup = { group, version } } = virtual;
  return {
    name: resource,
    singularName: resource.includes('/') ? '' : kind.toLowerCase(),
    namespaced,
    responseKind: { ...kindGroup, kind },
    verbs: virtual.verbs ?? ['create'],
    shortNames: [],
    categories: [],
    storageVersionHash: '',
  };
}
