import { limits } from '../../meta/index.ts';
import type { Cipher } from '../transformer.ts';

/** An LRU cache of the ciphers of decrypted data keys, by the hash of their source. */
export class DataKeys {
  readonly #ciphers = new Map<string, Cipher>();
  readonly #onSize: (size: number) => void;

  constructor(onSize: (size: number) => void) {
    this.#onSize = onSize;
  }

  get(hash: string): Cipher | undefined {
    const cipher = this.#ciphers.get(hash);
    if (cipher !== undefined) this.#put(hash, cipher);
    return cipher;
  }

  set(hash: string, cipher: Cipher): void {
    this.#put(hash, cipher);
    this.#onSize(this.#ciphers.size);
  }

  #put(hash: string, cipher: Cipher): void {
    this.#ciphers.delete(hash);
    this.#ciphers.set(hash, cipher);
    const [oldest] = this.#ciphers.keys();
    if (this.#ciphers.size > limits.kmsDataKeysMax && oldest !== undefined) this.#ciphers.delete(oldest);
  }
}
