/** A value as it was read from the storage. */
export interface ReadValue {
  readonly value: Uint8Array;
  /** True if it should be rewritten: it was not written with the first key of the first provider. */
  readonly stale: boolean;
}

/** One way to encode stored values. */
export interface Transformer {
  /**
   * Fetches what {@link read} needs for this value; undefined if nothing is missing. Transformers without remote keys
   * omit it.
   *
   * @throws {DecryptionError} or rejects with one
   */
  prepare?(stored: Uint8Array, key: string): Promise<void> | undefined;
  /**
   * @param key the storage key of the value, which some ciphers authenticate
   * @throws {DecryptionError}
   */
  read(stored: Uint8Array, key: string): ReadValue;
  /** @throws {EncryptionError} */
  write(value: Uint8Array, key: string): Uint8Array;
}

/** A stored value cannot be decrypted; the message is upstream's. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

/** A value cannot be encrypted; the message is upstream's. */
export class EncryptionError extends Error {
  override readonly name = 'EncryptionError';
}

/** A cipher with its key, on bytes. */
export interface Cipher {
  /** @throws {DecryptionError} */
  decrypt(stored: Uint8Array, key: string): Uint8Array;
  encrypt(value: Uint8Array, key: string): Uint8Array;
}

export const tooShort = (): DecryptionError =>
  new DecryptionError('the stored data was shorter than the required size');
