import { identityKey, type ObjectIdentity } from './identity.ts';

const identitiesMax = 500;

/**
 * Owners that do not exist. A uid is never reused, so a thousand dependents cause one lookup. The least recently used
 * owner is evicted first.
 */
export class AbsentOwners {
  readonly #keys = new Set<string>();

  add(identity: ObjectIdentity): void {
    this.#use(identityKey(identity));
    if (this.#keys.size <= identitiesMax) return;
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      return;
    }
  }

  has(identity: ObjectIdentity): boolean {
    const key = identityKey(identity);
    if (!this.#keys.has(key)) return false;
    this.#use(key);
    return true;
  }

  #use(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
  }
}
