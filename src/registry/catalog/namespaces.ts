import type { ViewEntry } from '../../cache/index.ts';
import { type KubeObject, limits } from '../../meta/index.ts';
import {
  type Representations,
  representationObject,
  representationOf,
} from '../representation/representation.ts';
import { atLeast, latest } from '../resource/freshness.ts';
import type { Served } from '../resource/served.ts';
import { waitForLatest } from '../resource/view-wait.ts';

/** Looks up namespaces for admission: every create in a namespace reads one, so the parsed objects are kept. */
export class Namespaces {
  readonly #served: () => Served | undefined;
  readonly #objects = new WeakMap<ViewEntry<Representations>, KubeObject>();

  constructor(served: () => Served | undefined) {
    this.#served = served;
  }

  /** The cached entry of a namespace. */
  entry(name: string): ViewEntry<Representations> | undefined {
    const resource = this.#served()?.resource;
    return resource?.view.get(resource.key('', name));
  }

  /** The namespace at a minimum revision; undefined: the latest. Shared; must not be changed. */
  async find(name: string, minRevision: number | undefined): Promise<KubeObject | undefined> {
    const served = this.#served();
    if (served === undefined) return undefined;
    const { resource } = served;
    const freshness = minRevision === undefined ? latest : atLeast(minRevision);
    await waitForLatest({ resource, freshness }, { timeoutMs: limits.freshnessWaitMsMax });
    const entry = resource.view.get(resource.key('', name));
    if (entry === undefined) return undefined;
    const known =
      this.#objects.get(entry) ?? representationObject(representationOf(entry, served), entry.modRevision);
    this.#objects.set(entry, known);
    return known;
  }
}
