import { formatGroupVersion, type JsonObject } from '../meta/index.ts';
import type { ApiGroup, ApiGroups } from './api-groups.ts';
import type { ApiResource, ApiVersion } from './api-resources.ts';

/** `/api`: the versions of the core group. */
export function apiVersionsDocument({ core }: ApiGroups, serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: core.map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`: all named groups. */
export function apiGroupListDocument({ named }: ApiGroups): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(groupFields) };
}

/** `/apis/<group>` */
export function apiGroupDocument(group: ApiGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) };
}

function groupFields({ name, versions }: ApiGroup): JsonObject {
  const shown = versions.map(({ version }) => ({ groupVersion: formatGroupVersion(name, version), version }));
  const [preferredVersion] = shown;
  return { name, versions: shown, ...(preferredVersion === undefined ? {} : { preferredVersion }) };
}

/** `/apis/<group>/<version>` and `/api/v1`: the resources of a version. */
export function apiResourceListDocument({ group, version, resources }: ApiVersion): JsonObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: formatGroupVersion(group, version),
    resources: resources.map((resource) => resourceFields(resource, { group, version })),
  };
}

function resourceFields(resource: ApiResource, home: { group: string; version: string }): JsonObject {
  const { name, singularName, namespaced, responseKind, verbs, shortNames, categories } = resource;
  const foreign = responseKind.group !== home.group || responseKind.version !== home.version;
  return {
    name,
    singularName,
    namespaced,
    ...(foreign ? { group: responseKind.group, version: responseKind.version } : {}),
    kind: responseKind.kind,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(resource.storageVersionHash === '' ? {} : { storageVersionHash: resource.storageVersionHash }),
  };
}
