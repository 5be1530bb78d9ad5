import type { KubeObject } from '../meta/index.ts';
import type { AdmissionScope } from './attributes.ts';

/** The objects of one kind that configure admission. */
export interface ConfigurationSource {
  /**
   * The current objects, by name. The list is the same array until an object changes, and an object is the same until
   * it changes. Includes all acknowledged writes of this server.
   */
  current(): readonly KubeObject[];
}

/** Values made from configuration objects, one for each; made again for those that changed. */
export class Configurations<T> {
  readonly #source: ConfigurationSource;
  readonly #compile: (object: KubeObject) => T;
  readonly #retire: (made: T) => void;
  #objects: readonly KubeObject[] | undefined;
  #made = new Map<KubeObject, T>();
  #list: readonly T[] = Object.freeze([]);

  /** @param retire called with values that are no longer used */
  constructor(
    source: ConfigurationSource,
    compile: (object: KubeObject) => T,
    retire: (made: T) => void = () => {},
  ) {
    this.#source = source;
    this.#compile = compile;
    this.#retire = retire;
  }

  /** Ordered by object name; the same list while nothing changed. */
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

/** Caches what is decided for each kind of writes, while the configurations do not change. */
export class ByScope<T> {
  readonly #known = new Map<string, T>();
  #for: readonly unknown[] | undefined;

  /** @param list the configurations; the cache is cleared when it is another array */
  of(list: readonly unknown[], { operation, resource, subresource }: AdmissionScope, decide: () => T): T {
    const key = `${operation} ${resource.group}/${resource.resource}/${subresource}`;
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

/** The number of entries is limited by resources, subresources and operations; only deleted CRDs leave unused ones. */
const keysMax = 10_000;
