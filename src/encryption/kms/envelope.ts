import { type Clock, formatTime } from '../../meta/index.ts';
import { aesGcm } from '../ciphers/aes-gcm.ts';
import { seededAesGcm } from '../ciphers/seeded-aes-gcm.ts';
import { type Cipher, DecryptionError, EncryptionError, type Transformer } from '../transformer.ts';
import type { DataKeys } from './data-keys.ts';
import {
  decodeEncryptedObject,
  encodeEncryptedObject,
  type KeySource,
  keySourceHash,
  sourceTypes,
} from './encrypted-object.ts';
import type { ProviderMetrics } from './kms-metrics.ts';
import { keyIdHash, type WriteKey } from './write-key.ts';

interface EnvelopeParts {
  readonly clock: Clock;
  readonly keys: DataKeys;
  /** Calls the plugin to decrypt the source of a data key. */
  readonly decrypt: (source: KeySource) => Promise<Uint8Array>;
  readonly metrics: Pick<ProviderMetrics, 'used'>;
  /** The current key, or why there is none. */
  readonly writeKey: () => WriteKey | string;
}

/**
 * Encrypts values with data keys that the plugin encrypts; one call per data key.
 * Source: apiserver, storage/value/encrypt/envelope/kmsv2.
 */
export function envelope({ clock, keys, decrypt, writeKey, metrics }: EnvelopeParts): Transformer {
  const underWay = new Map<string, Promise<void>>();
  const fetched = async (source: KeySource, hash: string) => {
    try {
      keys.set(hash, cipherOf(source, await decrypt(source)));
    } catch (error) {
      if (error instanceof DecryptionError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new DecryptionError(`failed to decrypt DEK, error: ${why}`, { cause: error });
    } finally {
      underWay.delete(hash);
    }
  };
  const currentKey = (): WriteKey => {
    const key = writeKey();
    if (typeof key === 'string') throw new DecryptionError(key);
    return key;
  };
  return {
    prepare(stored) {
      const { source } = decodeEncryptedObject(stored);
      currentKey();
      const hash = keySourceHash(source);
      if (keys.get(hash) !== undefined) return undefined;
      let found = underWay.get(hash);
      if (found === undefined) underWay.set(hash, (found = fetched(source, hash)));
      return found;
    },
    read(stored, key) {
      const { data, source } = decodeEncryptedObject(stored);
      const { source: current } = currentKey();
      const cipher = keys.get(keySourceHash(source));
      if (cipher === undefined)
        throw new DecryptionError('failed to decrypt DEK, error: it was not asked for');
      const value = cipher.decrypt(data, key);
      metrics.used('from_storage', source.keyId);
      const isCurrent = source.keyId === current.keyId && source.type === current.type;
      return { value, stale: !isCurrent };
    },
    write(value, key) {
      const current = writeKey();
      if (typeof current === 'string') throw new EncryptionError(current);
      const { cipher, source, hash, expiresMs } = current;
      if (clock.now() > expiresMs) throw expired(current, clock);
      keys.set(hash, cipher);
      const data = cipher.encrypt(value, key);
      metrics.used('to_storage', source.keyId);
      return encodeEncryptedObject({ data, source });
    },
  };
}

function cipherOf({ type }: KeySource, key: Uint8Array): Cipher {
  if (type === sourceTypes.seed) return seededAesGcm(key);
  if (![16, 24, 32].includes(key.length))
    throw new DecryptionError(`crypto/aes: invalid key size ${key.length}`);
  return aesGcm(key);
}

const expired = ({ source, expiresMs }: WriteKey, clock: Clock) =>
  new EncryptionError(
    `encryptedDEKSource with keyID hash "${keyIdHash(source.keyId)}" expired at ${formatTime(expiresMs)} (current time is ${formatTime(clock.now())})`,
  );
