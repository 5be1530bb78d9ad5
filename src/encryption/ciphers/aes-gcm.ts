import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Cipher, DecryptionError, tooShort } from '../transformer.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** Nonce, ciphertext, tag; the storage key is the associated data. Source: apiserver, storage/value/encrypt/aes. */
export function aesGcm(secret: Uint8Array): Cipher {
  const algorithm = `aes-${secret.length * 8}-gcm` as 'aes-256-gcm';
  const options = { authTagLength: tagBytes };
  return {
    encrypt(value, key) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, secret, nonce, options).setAAD(Buffer.from(key));
      return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(stored, key) {
      if (stored.length < nonceBytes) throw tooShort();
      const end = stored.length - tagBytes;
      if (end < nonceBytes) throw notAuthentic();
      const decipher = createDecipheriv(algorithm, secret, stored.subarray(0, nonceBytes), options);
      decipher.setAAD(Buffer.from(key)).setAuthTag(stored.subarray(end));
      const start = decipher.update(stored.subarray(nonceBytes, end));
      try {
        return Buffer.concat([start, decipher.final()]);
      } catch (error) {
        throw notAuthentic(error);
      }
    },
  };
}

const notAuthentic = (cause?: unknown) =>
  new DecryptionError('cipher: message authentication failed', { cause });
