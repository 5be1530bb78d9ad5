import type { ResourceType } from '../crd/index.ts';
import { compareVersionPriority } from '../meta/index.ts';
import {
  type ApiResource,
  type ApiVersion,
  apiResourcesOf,
  type VirtualResource,
  virtualApiResource,
} from './api-resources.ts';

/** Everything that is served, by group and version. */
export interface ApiGroups {
  /** Versions of the core group. */
  readonly core: readonly ApiVersion[];
  /** The named groups, built-in ones first, each with its versions in order of preference. */
  readonly named: readonly ApiGroup[];
}

export interface ApiGroup {
  readonly name: string;
  /** The first one is preferred: `v2` before `v1` before `v1beta1`. */
  readonly versions: readonly ApiVersion[];
}

/** Sorts established resources into groups and versions. Pure: the same types give the same documents. */
export function apiGroups(types: readonly ResourceType[], virtual: readonly VirtualResource[]): ApiGroups {
  const byVersion = new Map<string, { group: string; version: string; resources: ApiResource[] }>();
  const versionOf = (group: string, version: string) => {
    const key = `${group}/${version}`;
    const known = byVersion.get(key) ?? { group, version, resources: [] };
    byVersion.set(key, known);
    return known;
  };
  for (const type of types) {
    if (!type.established) continue;
    for (const version of type.versions) {
      if (!version.served) continue;
      versionOf(type.group, version.name).resources.push(...apiResourcesOf(type, version));
    }
  }
  for (const resource of virtual) {
    versionOf(resource.group, resource.version).resources.push(virtualApiResource(resource));
  }
  return grouped([...byVersion.values()]);
}

function grouped(versions: readonly ApiVersion[]): ApiGroups {
  const names = [...new Set(versions.map(({ group }) => group))];
  const of = (name: string) =>
    versions
      .filter(({ group }) => group === name)
      .map((version) => ({ ...version, resources: sortedByResource(version.resources) }))
      .sort((a, b) => compareVersionPriority(a.version, b.version));
  const named = names.filter((name) => name !== '').map((name) => ({ name, versions: of(name) }));
  return { core: of(''), named };
}

/** By name, each followed by its subresources in their own order: status before scale, as upstream has it. */
function sortedByResource(resources: readonly ApiResource[]): ApiResource[] {
  const resourceOf = ({ name }: ApiResource) => name.split('/', 1)[0] ?? '';
  return [...resources].sort((a, b) => {
    const [left, right] = [resourceOf(a), resourceOf(b)];
    if (left === right) return 0;
    return left < right ? -1 : 1;
  });
}
