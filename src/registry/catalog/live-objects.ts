import type { ViewEntry } from '../../cache/index.ts';
import type { KubeObject } from '../../meta/index.ts';
import { prefixRange } from '../../storage/index.ts';
import {
  type Representations,
  representationObject,
  representationOf,
} from '../representation/representation.ts';
import { viewCall } from '../resource/view-wait.ts';
import type { Served } from '../resource/served.ts';

/**
 * All cached objects of a built-in resource, each decoded once, for code that reads them on every write. Repeated calls
 * are nearly free while no object changes.
 */
export class LiveObjects {
  readonly #served: Served;
  #decoded = new WeakMap<ViewEntry<Representations>, KubeObject>();
  #objects: readonly KubeObject[] = Object.freeze([]);
  #changes = -1;

  constructor(served: Served) {
    this.#served = served;
  }

  /** Resolves when the objects are loaded. @throws {StatusError} 503, 504 */
  async ready(): Promise<void> {
    await viewCall(() => this.#served.resource.view.ready());
  }

  /** The prefix of the keys of the objects. */
  get prefix(): string {
    return this.#served.resource.prefix;
  }

  /** Whether {@link current} includes everything up to a revision. */
  shows(revision: number): boolean {
    return this.#served.resource.view.shows(revision);
  }

  /** Waits until {@link current} includes everything up to a revision. @throws {StatusError} 503, 504 */
  async atLeast(revision: number, timeoutMs: number): Promise<void> {
    await viewCall(() => this.#served.resource.view.atLeast(revision, { timeoutMs }));
  }

  /**
   * The objects in name order, shared: they must not be changed. The list is the same array until an object changes,
   * and an object is the same until it changes.
   */
  current(): readonly KubeObject[] {
    const { view } = this.#served.resource;
    if (view.changes === this.#changes) return this.#objects;
    this.#changes = view.changes;
    const entries = view.snapshot().range(prefixRange(this.#served.resource.prefix));
    this.#objects = Object.freeze([...entries].map((entry) => this.#read(entry)));
    return this.#objects;
  }

  #read(entry: ViewEntry<Representations>): KubeObject {
    const known = this.#decoded.get(entry);
    if (known !== undefined) return known;
    const object = representationObject(representationOf(entry, this.#served), entry.modRevision);
    this.#decoded.set(entry, object);
    return object;
  }
}
