import type { ViewEntry } from '../../cache/index.ts';
import type { ResourceVersion } from '../../crd/index.ts';
import {
  formatGroupVersion,
  type KubeObject,
  type LabelSelector,
  limits,
  metadataOf,
  own,
  stringMap,
} from '../../meta/index.ts';
import { prefixRange } from '../../storage/index.ts';
import { prepareRepresentations } from '../representation/prepare-representations.ts';
import {
  type Representations,
  representationObject,
  representationOf,
} from '../representation/representation.ts';
import { atLeast, latest } from '../resource/freshness.ts';
import type { Served } from '../resource/served.ts';
import { waitForLatest } from '../resource/view-wait.ts';
import type { Catalog } from './catalog.ts';

/** The conversion has no signal of its own; the write that needs it has a deadline. */
const { signal } = new AbortController();

/** The objects of all served kinds, for admission. Each is decoded once and shared; it must not be changed. */
export class ServedObjects {
  readonly #catalog: () => Catalog;
  /** By apiVersion and kind, for one catalog. */
  #found = new Map<string, Served | undefined>();
  #foundIn: Catalog | undefined;
  readonly #decoded = new WeakMap<ResourceVersion, WeakMap<ViewEntry<Representations>, KubeObject>>();

  constructor(catalog: () => Catalog) {
    this.#catalog = catalog;
  }

  /** The objects of a kind; undefined if it is not served. */
  of(apiVersion: string, kind: string) {
    const served = this.#servedAs(apiVersion, kind);
    if (served === undefined) return undefined;
    const { group, resource } = served.type;
    return {
      resource: { group, version: served.version.name, resource },
      namespaced: served.type.namespaced,
      find: (namespace: string, name: string, minRevision: number | undefined) =>
        this.#find(served, served.resource.key(namespace, name), minRevision),
      list: (namespace: string, selector: LabelSelector, minRevision: number | undefined) =>
        this.#list(served, { namespace, selector, minRevision }),
    };
  }

  #servedAs(apiVersion: string, kind: string): Served | undefined {
    const catalog = this.#catalog();
    if (catalog !== this.#foundIn) {
      this.#found = new Map();
      this.#foundIn = catalog;
    }
    const key = `${apiVersion} ${kind}`;
    if (!this.#found.has(key)) this.#found.set(key, findKind(catalog, apiVersion, kind));
    return this.#found.get(key);
  }

  async #find(served: Served, key: string, minRevision: number | undefined): Promise<KubeObject | undefined> {
    await fresh(served, minRevision);
    const entry = served.resource.view.get(key);
    return entry && (await this.#read([entry], served))[0];
  }

  async #list(
    served: Served,
    {
      namespace,
      selector,
      minRevision,
    }: {
      readonly namespace: string;
      readonly selector: LabelSelector;
      readonly minRevision: number | undefined;
    },
  ): Promise<readonly KubeObject[]> {
    await fresh(served, minRevision);
    const { prefix, view } = served.resource;
    const range = prefixRange(namespace === '' ? prefix : `${prefix}${namespace}/`);
    const objects = await this.#read([...view.snapshot().range(range)], served);
    return objects.filter((object) => selector.matches(stringMap(own(metadataOf(object), 'labels'))));
  }

  async #read(
    entries: readonly ViewEntry<Representations>[],
    served: Served,
  ): Promise<readonly KubeObject[]> {
    const known = this.#decoded.get(served.version) ?? new WeakMap<ViewEntry<Representations>, KubeObject>();
    this.#decoded.set(served.version, known);
    const preparing = prepareRepresentations(entries, { served, context: { signal } });
    if (preparing !== undefined) await preparing;
    return entries.map((entry) => {
      const object =
        known.get(entry) ?? representationObject(representationOf(entry, served), entry.modRevision);
      known.set(entry, object);
      return object;
    });
  }
}

function fresh({ resource }: Served, minRevision: number | undefined): Promise<number> {
  const freshness = minRevision === undefined ? latest : atLeast(minRevision);
  return waitForLatest({ resource, freshness }, { timeoutMs: limits.freshnessWaitMsMax });
}

function findKind(catalog: Catalog, apiVersion: string, kind: string): Served | undefined {
  for (const { type } of catalog.resources) {
    if (type.kind !== kind || !type.served) continue;
    const version = type.versions.find(({ name }) => formatGroupVersion(type.group, name) === apiVersion);
    if (version !== undefined) return catalog.find(type.group, version.name, type.resource);
  }
  return undefined;
}
