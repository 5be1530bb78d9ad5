import type { Resource } from '../resource/resource.ts';
import type { Served } from '../resource/served.ts';

/** What is served in one group, by version and plural: `v1/widgets`. */
type ServedGroup = ReadonlyMap<string, Served>;

/**
 * A snapshot of everything that is served. It is frozen, and replaced as a whole when a CRD changes. A request uses the
 * same snapshot until it ends.
 */
export class Catalog {
  readonly resources: readonly Resource[];
  readonly #groups: ReadonlyMap<string, ServedGroup>;

  /** Called by {@link CatalogBuilder}; the catalog takes ownership of its arguments. */
  constructor(resources: readonly Resource[], groups: ReadonlyMap<string, ServedGroup>) {
    this.resources = Object.freeze(resources);
    this.#groups = groups;
  }

  /** The resource that a URL names; undefined where nothing is served there. */
  find(group: string, version: string, resource: string): Served | undefined {
    return this.#groups.get(group)?.get(`${version}/${resource}`);
  }

  /** Whether the kinds of a group are built in. */
  isBuiltInGroup(group: string): boolean {
    const [first] = this.#groups.get(group)?.values() ?? [];
    return first?.type.isBuiltIn === true;
  }
}

/**
 * Builds each catalog from the previous one. Only changed groups are rebuilt, so the cost of a CRD change does not
 * depend on the number of other CRDs.
 */
export class CatalogBuilder {
  readonly #resources = new Set<Resource>();
  readonly #groups = new Map<string, Map<string, Served>>();
  /** Groups that are not part of a catalog yet; only these are mutable. */
  readonly #own = new Set<string>();
  /** The key of each resource in its group. */
  readonly #places = new Map<Resource, { readonly group: string; readonly keys: readonly string[] }>();

  /** Adds or updates a resource. */
  put(resource: Resource): void {
    this.#leave(resource);
    this.#resources.add(resource);
    const { type } = resource;
    if (!type.served) return;
    const served = this.#groupToWrite(type.group);
    const keys: string[] = [];
    for (const version of type.versions) {
      if (!version.served) continue;
      const key = `${version.name}/${type.resource}`;
      const { epoch, changes } = resource;
      served.set(key, Object.freeze({ resource, type, version, epoch, changes }));
      keys.push(key);
    }
    this.#places.set(resource, { group: type.group, keys });
  }

  /** Removes a resource. */
  drop(resource: Resource): void {
    this.#leave(resource);
    this.#resources.delete(resource);
  }

  /** A catalog of all current resources. */
  build(): Catalog {
    this.#own.clear();
    return new Catalog([...this.#resources], new Map(this.#groups));
  }

  #leave(resource: Resource): void {
    const place = this.#places.get(resource);
    if (place === undefined) return;
    this.#places.delete(resource);
    const served = this.#groupToWrite(place.group);
    for (const key of place.keys) if (served.get(key)?.resource === resource) served.delete(key);
    if (served.size === 0) this.#groups.delete(place.group);
  }

  #groupToWrite(group: string): Map<string, Served> {
    const known = this.#groups.get(group);
    if (known !== undefined && this.#own.has(group)) return known;
    const copy = new Map(known);
    this.#groups.set(group, copy);
    this.#own.add(group);
    return copy;
  }
}
