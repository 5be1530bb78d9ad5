import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { type Cipher, DecryptionError, tooShort } from '../transformer.ts';

const nonceBytes = 24;
const tagBytes = 16;

/** Nonce, then tag and ciphertext of XSalsa20-Poly1305. Source: apiserver, storage/value/encrypt/secretbox. */
export function secretbox(secret: Uint8Array): Cipher {
  return {
    encrypt(value) {
      const nonce = randomBytes(nonceBytes);
      return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(value)]);
    },
    decrypt(stored) {
      if (stored.length < nonceBytes + tagBytes) throw tooShort();
      try {
        return xsalsa20poly1305(secret, stored.subarray(0, nonceBytes)).decrypt(stored.subarray(nonceBytes));
      } catch (cause) {
        // Upstream's message for a wrong key.
        throw new DecryptionError('output array was not large enough for encryption', { cause });
      }
    },
  };
}
