import type { GroupResource } from '../meta/index.ts';
import type { EncryptionRules, KeyServices } from './encryption-rules.ts';
import type { Transformer } from './transformer.ts';

/**
 * Rules that can be replaced at run time, for example by a new configuration file: the next read and write use the new
 * ones.
 */
export class ReplaceableRules implements EncryptionRules {
  readonly isReplaceable = true;
  #current: EncryptionRules;
  /** The transformers of the current rules, by resource. */
  readonly #found = new Map<string, Transformer>();

  constructor(first: EncryptionRules) {
    this.#current = first;
  }

  transformerOf(resource: GroupResource): Transformer {
    return {
      prepare: (stored, key) => this.#currentOf(resource).prepare?.(stored, key),
      read: (stored, key) => this.#currentOf(resource).read(stored, key),
      write: (value, key) => this.#currentOf(resource).write(value, key),
    };
  }

  /** True even without plugins: the next configuration may have some. */
  get services(): KeyServices {
    const { services } = this.#current;
    return {
      count: services.count,
      start: () => services.start(),
      check: () => this.#current.services.check(),
      close: () => this.#current.services.close(),
    };
  }

  /** Reads in progress with the old rules fail if they call a plugin: watches and lists restart. */
  replace(next: EncryptionRules): void {
    const old = this.#current;
    this.#current = next;
    this.#found.clear();
    old.services.close();
  }

  #currentOf(resource: GroupResource): Transformer {
    const name = `${resource.resource}.${resource.group}`;
    let found = this.#found.get(name);
    if (found === undefined) this.#found.set(name, (found = this.#current.transformerOf(resource)));
    return found;
  }
}
