import type { JsonObject, JsonValue } from '../meta/index.ts';
import type { ApiGroup } from './api-groups.ts';
import type { ApiResource, ApiVersion } from './api-resources.ts';

/**
 * `/api` and `/apis` as one document that contains all groups and resources (apidiscovery.k8s.io/v2), which saves
 * clients a request per group version. Source: KEP-3352.
 */
export function aggregatedDocument(groups: readonly ApiGroup[]): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(groupItem),
  };
}

function groupItem({ name, versions }: ApiGroup): JsonObject {
  return {
    metadata: name === '' ? {} : { name },
    versions: versions.map(versionItem),
  };
}

function versionItem({ version, resources }: ApiVersion): JsonObject {
  const main = resources.filter(({ name }) => !name.includes('/'));
  return {
    version,
    resources: main.map((resource) => resourceItem(resource, resources)),
    freshness: 'Current',
  };
}

function resourceItem(resource: ApiResource, all: readonly ApiResource[]): JsonObject {
  const prefix = `${resource.name}/`;
  const subresources: JsonValue[] = all
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, responseKind, verbs }) => ({
      subresource: name.slice(prefix.length),
      responseKind: { ...responseKind },
      verbs: [...verbs],
    }));
  return {
    resource: resource.name,
    responseKind: { ...resource.responseKind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singularName,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length === 0 ? {} : { shortNames: [...resource.shortNames] }),
    ...(resource.categories.length === 0 ? {} : { categories: [...resource.categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
