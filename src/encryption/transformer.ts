/** A value as it was read from the storage. */
export interface ReadValue {
  readonly value: Uint8Array;
  /** True where it should be written again: not the first provider or not its first key wrote it. */
  readonly stale: boolean;
}

/** One way to store values. */
export interface Transformer {
  /**
   * Gets what {@link read} of this value will need, where that must be asked for; undefined where it is there. Left out by
   * transformers that have all they need.
   *
   * @throws {DecryptionError} or rejects with one
   */
  prepare?(stored: Uint8Array, key: string): Promise<void> | undefined;
  /**
   * @param key the key of the value in the database, which some ciphers authenticate
   * @throws {DecryptionError}
   */
  read(stored: Uint8Array, key: string): ReadValue;
  /** @throws {EncryptionError} */
  write(value: Uint8Array, key: string): Uint8Array;
}

/** Why a stored value cannot be read, in upstream's words. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

/** Why a value cannot be encrypted, in upstream's words. */
export class EncryptionError extends Error {
  override readonly name = 'EncryptionError';
}

/** A cipher with its key: bytes in, bytes out. */
export interface Cipher {
  /** @throws {DecryptionError} */
  decrypt(stored: Uint8Array, key: string): Uint8Array;
  encrypt(value: Uint8Array, key: string): Uint8Array;
}

export const tooShort = (): DecryptionError =>
  new DecryptionError('the stored data was shorter than the required size');
