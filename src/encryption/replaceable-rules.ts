import type { GroupResource } from '../meta/index.ts';
import type { EncryptionRules } from './encryption-rules.ts';
import type { Transformer } from './transformer.ts';

/** Rules that are replaced while a server runs, as by a new configuration file: the next read and write goes by the new ones. */
export class ReplaceableRules implements EncryptionRules {
  #current: EncryptionRules;
  /** The transformers of the current rules, by resource. */
  readonly #found = new Map<string, Transformer>();

  constructor(first: EncryptionRules) {
    this.#current = first;
  }

  transformerOf(resource: GroupResource): Transformer {
    return {
      read: (stored, key) => this.#currentOf(resource).read(stored, key),
      write: (value, key) => this.#currentOf(resource).write(value, key),
    };
  }

  replace(next: EncryptionRules): void {
    this.#current = next;
    this.#found.clear();
  }

  #currentOf(resource: GroupResource): Transformer {
    const name = `${resource.resource}.${resource.group}`;
    let found = this.#found.get(name);
    if (found === undefined) this.#found.set(name, (found = this.#current.transformerOf(resource)));
    return found;
  }
}
