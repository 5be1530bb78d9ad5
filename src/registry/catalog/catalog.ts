import type { Resource } from '../resource/resource.ts';
import type { Served } from '../resource/served.ts';

/** What is served in one group, by version and plural: `v1/widgets`. */
type ServedGroup = ReadonlyMap<string, Served>;

/**
 * Everything that is served at one moment: frozen, and swapped whole when a CRD changes.
 * A request that took a snapshot works with it to its end.
 */
export class Catalog {
  readonly resources: readonly Resource[];
  readonly #groups: ReadonlyMap<string, ServedGroup>;

  /** Made by a {@link CatalogBuilder}; what is given is the catalog's own from now on. */
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
 * Makes catalogs, each from the one before: only the groups that changed are made anew, so that a change of one CRD
 * costs the same among ten and among a thousand others.
 */
export class CatalogBuilder {
  readonly #resources = new Set<Resource>();
  readonly #groups = new Map<string, Map<string, Served>>();
  /** The groups that no catalog has seen yet: those may be written to. */
  readonly #own = new Set<string>();
  /** Where each resource stands in its group. */
  readonly #places = new Map<Resource, { readonly group: string; readonly keys: readonly string[] }>();

  /** Takes a resource in, or as it is now. */
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

  /** Takes a resource out. */
  drop(resource: Resource): void {
    this.#leave(resource);
    this.#resources.delete(resource);
  }

  /** The catalog of what was put and not dropped. */
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
