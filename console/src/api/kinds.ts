import { getJson } from './request.ts';

/** A resource in one version. */
interface KindVersion {
  readonly version: string;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

/** A kind of the server, in all its versions. */
export interface Kind {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The preferred version first. */
  readonly versions: readonly [KindVersion, ...KindVersion[]];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly singularResource?: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface DiscoveredGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly DiscoveredResource[];
  }[];
}

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All kinds that support list, from the discovery documents. */
export async function discoverKinds(signal?: AbortSignal): Promise<readonly Kind[]> {
  const documents = await Promise.all(
    ['/api', '/apis'].map((path) =>
      getJson<{ items?: readonly DiscoveredGroup[] }>(path, { accept, signal }),
    ),
  );
  return documents
    .flatMap(({ items = [] }) => items.flatMap(kindsOf))
    .filter(({ versions }) => versions[0].verbs.includes('list'));
}

function kindsOf(group: DiscoveredGroup): Kind[] {
  const byPlural = new Map<string, Kind>();
  for (const { version, resources = [] } of group.versions ?? []) {
    for (const resource of resources) {
      const found = { version, verbs: resource.verbs, subresources: subresourcesOf(resource) };
      const known = byPlural.get(resource.resource);
      if (known === undefined)
        byPlural.set(resource.resource, kindOf(group.metadata?.name ?? '', resource, found));
      else byPlural.set(resource.resource, { ...known, versions: [...known.versions, found] });
    }
  }
  return [...byPlural.values()];
}

function kindOf(group: string, resource: DiscoveredResource, version: KindVersion): Kind {
  return {
    group,
    plural: resource.resource,
    singular: resource.singularResource ?? '',
    kind: resource.responseKind?.kind ?? resource.resource,
    namespaced: resource.scope === 'Namespaced',
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    versions: [version],
  };
}

function subresourcesOf({ subresources = [] }: DiscoveredResource): readonly string[] {
  return subresources.map(({ subresource }) => subresource);
}
