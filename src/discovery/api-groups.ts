import type { ResourceType } from '../crd/index.ts';
import { compareVersionPriority } from '../meta/index.ts';
import {
  type ApiResource,
  type ApiVersion,
  apiResourcesOf,
  type VirtualResource,
  virtualApiResource,
} from './api-resources.ts';

/** All served resources, by group and version. */
export interface ApiGroups {
  /** The versions of the core group. */
  readonly core: readonly ApiVersion[];
  /** The named groups by priority, each with its versions in order of preference. */
  readonly named: readonly ApiGroup[];
}

export interface ApiGroup {
  readonly name: string;
  /** The first one is preferred: `v2` before `v1` before `v1beta1`. */
  readonly versions: readonly ApiVersion[];
}

/**
 * The order of built-in groups in discovery: a client that knows only the plural uses the first match.
 * Source: kubernetes, pkg/controlplane/apiserver/aggregator.go.
 */
const groupPriorities: ReadonlyMap<string, number> = new Map([
  ['apiregistration.k8s.io', 20_000],
  ['apps', 17_800],
  ['events.k8s.io', 17_750],
  ['authentication.k8s.io', 17_700],
  ['authorization.k8s.io', 17_600],
  ['autoscaling', 17_500],
  ['batch', 17_400],
  ['certificates.k8s.io', 17_300],
  ['networking.k8s.io', 17_200],
  ['policy', 17_100],
  ['rbac.authorization.k8s.io', 17_000],
  ['storage.k8s.io', 16_800],
  ['admissionregistration.k8s.io', 16_700],
  ['apiextensions.k8s.io', 16_700],
  ['scheduling.k8s.io', 16_600],
  ['coordination.k8s.io', 16_500],
  ['node.k8s.io', 16_300],
  ['discovery.k8s.io', 16_200],
  ['resource.k8s.io', 16_200],
  ['flowcontrol.apiserver.k8s.io', 16_100],
]);

/** The priority of groups defined by CRDs; they are sorted by name. */
const customPriority = 1_000;

/** Sorts established resources into groups and versions. Pure: equal types give equal documents. */
export function apiGroups(types: readonly ResourceType[], virtual: readonly VirtualResource[]): ApiGroups {
  const collected = new Collected();
  for (const type of types) {
    if (!type.established) continue;
    for (const version of type.versions) {
      if (version.served) collected.add(type.group, version.name, apiResourcesOf(type, version));
    }
  }
  for (const resource of virtual) {
    collected.add(resource.group, resource.version, [virtualApiResource(resource)]);
  }
  return { core: collected.versionsOf(''), named: collected.named() };
}

/** Resources by group and version. */
class Collected {
  readonly #groups = new Map<string, Map<string, ApiResource[]>>();

  add(group: string, version: string, resources: readonly ApiResource[]): void {
    const versions = this.#groups.get(group) ?? new Map<string, ApiResource[]>();
    this.#groups.set(group, versions);
    const known = versions.get(version) ?? [];
    versions.set(version, known);
    known.push(...resources);
  }

  versionsOf(group: string): ApiVersion[] {
    return [...(this.#groups.get(group) ?? [])]
      .map(([version, resources]) => ({ group, version, resources: sortedByResource(resources) }))
      .sort((a, b) => compareVersionPriority(a.version, b.version));
  }

  named(): ApiGroup[] {
    const priority = (name: string) => groupPriorities.get(name) ?? customPriority;
    return [...this.#groups.keys()]
      .filter((name) => name !== '')
      .sort((a, b) => priority(b) - priority(a) || (a < b ? -1 : 1))
      .map((name) => ({ name, versions: this.versionsOf(name) }));
  }
}

/** By name, each followed by its subresources: status before scale, as upstream. */
function sortedByResource(resources: readonly ApiResource[]): ApiResource[] {
  const resourceOf = ({ name }: ApiResource) => name.split('/', 1)[0] ?? '';
  return [...resources].sort((a, b) => {
    const [left, right] = [resourceOf(a), resourceOf(b)];
    if (left === right) return 0;
    return left < right ? -1 : 1;
  });
}
