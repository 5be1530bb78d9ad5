import { randomBytes, randomFillSync } from 'node:crypto';

const randomPoolBytes = 4096;

/** Random bytes from a pool: a system call for each uid would cost more than the rest of a create. */
export function pooledRandom(): (bytes: number) => Uint8Array {
  const pool = Buffer.allocUnsafeSlow(randomPoolBytes);
  let used = randomPoolBytes;
  return (bytes) => {
    if (bytes > randomPoolBytes) return randomBytes(bytes);
    if (used + bytes > randomPoolBytes) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return Uint8Array.prototype.slice.call(pool, used - bytes, used);
  };
}
