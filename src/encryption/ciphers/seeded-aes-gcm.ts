import { createHmac, randomBytes } from 'node:crypto';
import { type Cipher, DecryptionError, tooShort } from '../transformer.ts';
import { aesGcm } from './aes-gcm.ts';

const infoBytes = 32;
/** The length of a new seed, and the minimum length. */
export const seedBytes = 32;

/**
 * AES-256-GCM with a derived key per value: HKDF-Expand with SHA-256 of the seed and 32 random bytes, which are stored
 * before the nonce. Source: apiserver, storage/value/encrypt/aes/aes_extended_nonce.go.
 *
 * @throws {DecryptionError} if the seed is too short
 */
export function seededAesGcm(seed: Uint8Array): Cipher {
  if (seed.length < seedBytes)
    throw new DecryptionError(`invalid seed length ${seed.length} used for key generation`);
  // One HKDF block is 32 bytes, the length of a key.
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
