import { createHmac, randomBytes } from 'node:crypto';
import { type Cipher, DecryptionError, tooShort } from '../transformer.ts';
import { aesGcm } from './aes-gcm.ts';

const infoBytes = 32;
/** The bytes of a new seed, and the fewest that one may have. */
export const seedBytes = 32;

/**
 * AES-256-GCM with a key of its own for each value: HKDF-Expand with SHA-256 of the seed and 32 random bytes, which are
 * stored before the nonce. Source: apiserver, storage/value/encrypt/aes/aes_extended_nonce.go.
 *
 * @throws {DecryptionError} for a seed that is too short
 */
export function seededAesGcm(seed: Uint8Array): Cipher {
  if (seed.length < seedBytes)
    throw new DecryptionError(`invalid seed length ${seed.length} used for key generation`);
  // One round of HKDF gives 32 bytes, which is all that a key needs.
  const cipherOf = (info: Uint8Array) =>
    aesGcm(createHmac('sha256', seed).update(info).update(Buffer.of(1)).digest());
  return {
    encrypt(value, key) {
      const info = randomBytes(infoBytes);
      return Buffer.concat([info, cipherOf(info).encrypt(value, key)]);
    },
    decrypt(stored, key) {
      if (stored.length < infoBytes) throw tooShort();
      return cipherOf(stored.subarray(0, infoBytes)).decrypt(stored.subarray(infoBytes), key);
    },
  };
}
