import { formatGroupVersion, parseGroupVersion } from '../../meta/index.ts';
import { type Catalog, type Registry, type Resource, type Target, targetOf } from '../../registry/index.ts';

/** A kind that is not served: its objects are unknown, and must not count as deleted. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError';

  constructor(apiVersion: string, kind: string) {
    super(`no matches for kind "${kind}" in version "${apiVersion}"`);
  }
}

interface Index {
  readonly catalog: Catalog;
  readonly served: ReadonlyMap<string, Target>;
  readonly stored: ReadonlyMap<string, Target>;
}

/** Finds resources by kind, as owner references name them; remade when the catalog changes. */
export class KindIndex {
  readonly #registry: Registry;
  #index: Index | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * The resource of a kind in a version that is served, without a namespace.
   *
   * @throws {UnknownKindError}
   */
  async served(apiVersion: string, kind: string): Promise<Target> {
    const found = await this.#fresh(address(apiVersion, kind), 'served');
    if (found === undefined) throw new UnknownKindError(apiVersion, kind);
    return found;
  }

  /** The resource of objects that are stored; their version need not be served any more. @throws {UnknownKindError} */
  async stored(apiVersion: string, kind: string): Promise<Target> {
    const group = parseGroupVersion(apiVersion)?.group ?? '';
    const found = await this.#fresh(address(group, kind), 'stored');
    if (found === undefined) throw new UnknownKindError(apiVersion, kind);
    return found;
  }

  /** The version in which the objects of a stored kind are called; its own where the kind is not known. */
  preferredApiVersion(apiVersion: string, kind: string): string {
    const group = parseGroupVersion(apiVersion)?.group ?? '';
    const found = this.#current().stored.get(address(group, kind));
    return found === undefined ? apiVersion : formatGroupVersion(found.type.group, found.version.name);
  }

  /** A missing kind is looked up again in the latest catalog. */
  async #fresh(name: string, which: 'served' | 'stored'): Promise<Target | undefined> {
    const found = this.#current()[which].get(name);
    if (found !== undefined && !found.changes.given) return found;
    await this.#registry.freshCatalog();
    return this.#current()[which].get(name);
  }

  #current(): Index {
    const { catalog } = this.#registry;
    if (this.#index?.catalog !== catalog) this.#index = indexOf(catalog);
    return this.#index;
  }
}

function indexOf(catalog: Catalog): Index {
  const served = new Map<string, Target>();
  const stored = new Map<string, Target>();
  for (const resource of catalog.resources) {
    const { type } = resource;
    if (!type.served) continue;
    const preferred = type.versions.find((version) => version.served) ?? type.storageVersion;
    stored.set(address(type.group, type.kind), targetIn(resource, preferred));
    for (const version of type.versions) {
      const apiVersion = formatGroupVersion(type.group, version.name);
      if (version.served) served.set(address(apiVersion, type.kind), targetIn(resource, version));
    }
  }
  return { catalog, served, stored };
}

function targetIn(resource: Resource, version: Target['version']): Target {
  const { type, epoch, changes } = resource;
  return targetOf({ resource, type, version, epoch, changes }, '');
}

function address(where: string, kind: string): string {
  return `${where} ${kind}`;
}
