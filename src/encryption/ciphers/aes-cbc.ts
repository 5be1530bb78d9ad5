import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Cipher, DecryptionError, tooShort } from '../transformer.ts';

const blockBytes = 16;

/** IV, then the ciphertext with PKCS#7 padding; not authenticated. Source: apiserver, storage/value/encrypt/aes. */
export function aesCbc(secret: Uint8Array): Cipher {
  const algorithm = `aes-${secret.length * 8}-cbc`;
  return {
    encrypt(value) {
      const iv = randomBytes(blockBytes);
      const cipher = createCipheriv(algorithm, secret, iv);
      return Buffer.concat([iv, cipher.update(value), cipher.final()]);
    },
    decrypt(stored) {
      if (stored.length < blockBytes) throw tooShort();
      if (stored.length % blockBytes !== 0)
        throw new DecryptionError('the stored data is not a multiple of the block size');
      const decipher = createDecipheriv(algorithm, secret, stored.subarray(0, blockBytes));
      decipher.setAutoPadding(false);
      return unpadded(Buffer.concat([decipher.update(stored.subarray(blockBytes)), decipher.final()]));
    },
  };
}

/** OpenSSL also refuses bad padding, but with another message than upstream. */
function unpadded(padded: Buffer): Buffer {
  const count = padded.at(-1) ?? 0;
  if (count === 0 || count > padded.length)
    throw new DecryptionError('invalid PKCS7 data (empty or not padded)');
  const size = padded.length - count;
  if (padded.subarray(size).some((byte) => byte !== count))
    throw new DecryptionError('invalid padding on input');
  return padded.subarray(0, size);
}
