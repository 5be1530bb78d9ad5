import { equal, type JsonValue, type KubeObject, metadataOf, nameOf, own } from '../meta/index.ts';
import type { AdmissionScope } from './attributes.ts';

/** The objects of one kind that configure admission. */
export interface ConfigurationSource {
  /**
   * The current objects, by name. The list is the same array until an object changes, and an object is the same until
   * it changes. Includes all acknowledged writes of this server.
   */
  current(): readonly KubeObject[];
}

function isSameObject(one: KubeObject, other: KubeObject): boolean {
  return nameOf(one) === nameOf(other) && own(metadataOf(one), 'uid') === own(metadataOf(other), 'uid');
}

interface ConfigurationsOptions<T> {
  /** Called with values that are no longer used. */
  readonly retire?: (made: T) => void;
  /** The part of an object that its value is made from: while it is equal, the value is kept. By default, everything. */
  readonly partOf?: (object: KubeObject) => JsonValue;
}

/** Values made from configuration objects, one for each; made again for those that changed. */
export class Configurations<T> {
  readonly #source: ConfigurationSource;
  readonly #compile: (object: KubeObject) => T;
  readonly #options: ConfigurationsOptions<T>;
  #objects: readonly KubeObject[] | undefined;
  #made = new Map<KubeObject, T>();
  #list: readonly T[] = Object.freeze([]);

  constructor(
    source: ConfigurationSource,
    compile: (object: KubeObject) => T,
    options: ConfigurationsOptions<T> = {},
  ) {
    this.#source = source;
    this.#compile = compile;
    this.#options = options;
  }

  /** Ordered by object name; the same list while nothing changed. */
  current(): readonly T[] {
    const objects = this.#source.current();
    if (objects === this.#objects) return this.#list;
    this.#objects = objects;
    const made = new Map<KubeObject, T>();
    const before = this.#made;
    const unchanged = objects.map((object) => {
      const known = before.get(object);
      before.delete(object);
      return known;
    });
    for (const [index, object] of objects.entries())
      made.set(object, unchanged[index] ?? this.#keptFor(object, before) ?? this.#compile(object));
    for (const gone of before.values()) this.#options.retire?.(gone);
    this.#made = made;
    this.#list = Object.freeze([...made.values()]);
    return this.#list;
  }

  /** The value of what the object was before, if nothing that matters has changed, as by a write of its status. */
  #keptFor(object: KubeObject, before: Map<KubeObject, T>): T | undefined {
    const { partOf } = this.#options;
    if (partOf === undefined) return undefined;
    for (const [old, value] of before) {
      if (!isSameObject(old, object) || !equal(partOf(old), partOf(object))) continue;
      before.delete(old);
      return value;
    }
    return undefined;
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
