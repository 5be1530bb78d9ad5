import type { ResourceType, ResourceVersion } from '../crd/index.ts';
import type { Resource } from './resource.ts';

/** A resource in one of its versions, as a URL names it. */
export interface Served {
  readonly resource: Resource;
  readonly type: ResourceType;
  readonly version: ResourceVersion;
  /** Tells forms of before a change of the CRD from those after it. */
  readonly epoch: number;
  /** Aborted when the CRD changes or goes: watches end then. */
  readonly changed: AbortSignal;
}

/**
 * Everything that is served at one moment: frozen, and swapped whole when a CRD changes.
 * A request that took a snapshot works with it to its end.
 */
export class Catalog {
  readonly resources: readonly Resource[];
  readonly #served: ReadonlyMap<string, Served>;

  constructor(resources: readonly Resource[]) {
    this.resources = Object.freeze([...resources]);
    const served = new Map<string, Served>();
    for (const resource of resources) {
      const { type } = resource;
      if (!type.served) continue;
      const { epoch, changed } = resource;
      for (const version of type.versions) {
        if (!version.served) continue;
        const entry = Object.freeze({ resource, type, version, epoch, changed });
        served.set(address(type.group, version.name, type.resource), entry);
      }
    }
    this.#served = served;
  }

  /** The resource that a URL names; undefined where nothing is served there. */
  find(group: string, version: string, resource: string): Served | undefined {
    return this.#served.get(address(group, version, resource));
  }

  /** The resource of a group by its plural, in whatever version; undefined where there is none. */
  findResource(group: string, resource: string): Resource | undefined {
    return this.resources.find(({ type }) => type.group === group && type.resource === resource);
  }
}

function address(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}
