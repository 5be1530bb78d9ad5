import { identityKey, type ObjectIdentity } from './identity.ts';

const identitiesMax = 500;

/**
 * Owners that were found to be gone: a uid never comes back, so a thousand children ask once. The longest unused is
 * forgotten first.
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
