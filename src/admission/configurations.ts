import type { KubeObject } from '../meta/index.ts';

/** The objects of one kind that configure admission. */
export interface ConfigurationSource {
  /**
   * The objects as they are at hand, by name. The list is the same one until an object changes, and an object the same
   * one until it changes itself. A write that was acknowledged by this server shows.
   */
  current(): readonly KubeObject[];
}

/** What is made of configurations, once for each object; remade for those that changed. */
export class Configurations<T> {
  readonly #source: ConfigurationSource;
  readonly #compile: (object: KubeObject) => T;
  readonly #retire: (made: T) => void;
  #objects: readonly KubeObject[] | undefined;
  #made = new Map<KubeObject, T>();
  #list: readonly T[] = Object.freeze([]);

  /** @param retire told of what is no longer in use */
  constructor(
    source: ConfigurationSource,
    compile: (object: KubeObject) => T,
    retire: (made: T) => void = () => {},
  ) {
    this.#source = source;
    this.#compile = compile;
    this.#retire = retire;
  }

  /** In the order of the names of the objects; the same list while nothing changed. */
  current(): readonly T[] {
    const objects = this.#source.current();
    if (objects === this.#objects) return this.#list;
    this.#objects = objects;
    const made = new Map<KubeObject, T>();
    for (const object of objects) {
      made.set(object, this.#made.get(object) ?? this.#compile(object));
      this.#made.delete(object);
    }
    for (const gone of this.#made.values()) this.#retire(gone);
    this.#made = made;
    this.#list = Object.freeze([...made.values()]);
    return this.#list;
  }
}

/** Remembers which kinds of writes are handled, for as long as the configurations stay the same. */
export class HandledScopes {
  readonly #known = new Map<string, boolean>();
  #for: readonly unknown[] | undefined;

  /** @param list what decides; asked again where it is another one */
  handles(list: readonly unknown[], key: string, decide: () => boolean): boolean {
    if (list !== this.#for || this.#known.size > keysMax) {
      this.#known.clear();
      this.#for = list;
    }
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const decided = decide();
    this.#known.set(key, decided);
    return decided;
  }
}

/** There are as many as resources, subresources and operations; more come from nowhere but CRDs that go. */
const keysMax = 10_000;
