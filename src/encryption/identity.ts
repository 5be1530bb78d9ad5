import { DecryptionError, type Transformer } from './transformer.ts';

const encryptedPrefix = Buffer.from('k8s:enc:');

/** Unencrypted values; reading an encrypted one is an error. */
export const identity: Transformer = Object.freeze({
  read(stored: Uint8Array) {
    if (encryptedPrefix.equals(stored.subarray(0, encryptedPrefix.length)))
      throw new DecryptionError('identity transformer tried to read encrypted data');
    return { value: stored, stale: false };
  },
  write: (value: Uint8Array) => value,
});
