import type { GroupResource } from '../meta/index.ts';
import { type Store, StoreError, transformedStore } from '../storage/index.ts';
import type { EncryptionRules } from './encryption-rules.ts';
import { identity } from './identity.ts';
import { DecryptionError, EncryptionError, type ReadValue, type Transformer } from './transformer.ts';

interface EncryptedStoreOptions {
  readonly rules: EncryptionRules;
  /** The resource of a storage key; undefined for keys that hold no object. */
  readonly resourceOf: (key: string) => GroupResource | undefined;
  /** The key in the database, which ciphers authenticate, so that servers can share a database. */
  readonly keyInDatabase: (key: string) => string;
}

/** A store of plaintext values that encrypts them in an underlying store. */
export interface EncryptedStore {
  readonly store: Store;
  /** True if an unchanged value should be written again, because another key or provider encrypted it. */
  readonly isStale: (key: string) => Promise<boolean>;
}

/**
 * Reading a value that cannot be decrypted throws a {@link StoreError} `unreadable` with upstream's message, writing
 * one that cannot be encrypted `unwritable`.
 */
export function encryptedStore(below: Store, options: EncryptedStoreOptions): EncryptedStore {
  const { rules, resourceOf, keyInDatabase } = options;
  const transformers = new Map<string, Transformer>();
  const transformerOf = (key: string): Transformer => {
    const resource = resourceOf(key);
    if (resource === undefined) return identity;
    const name = `${resource.resource}.${resource.group}`;
    let found = transformers.get(name);
    if (found === undefined) transformers.set(name, (found = rules.transformerOf(resource)));
    return found;
  };
  const read = (value: Uint8Array, key: string): ReadValue => {
    const place = keyInDatabase(key);
    try {
      return transformerOf(key).read(value, place);
    } catch (error) {
      throw unreadable(error, place);
    }
  };
  const prepare = (value: Uint8Array, key: string): Promise<void> | undefined => {
    const transformer = transformerOf(key);
    if (transformer.prepare === undefined) return undefined;
    const place = keyInDatabase(key);
    try {
      return transformer.prepare(value, place)?.catch((error: unknown) => {
        throw unreadable(error, place);
      });
    } catch (error) {
      throw unreadable(error, place);
    }
  };
  const write = (value: Uint8Array, key: string): Uint8Array => {
    try {
      return transformerOf(key).write(value, keyInDatabase(key));
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error;
      throw new StoreError('unwritable', error.message, { cause: error });
    }
  };
  const store = transformedStore(below, { prepare, read: (value, key) => read(value, key).value, write });
  const isStale = async (key: string) => {
    const { record } = await below.get(key);
    if (record === undefined) return false;
    await prepare(record.value, key);
    return read(record.value, key).stale;
  };
  return { store, isStale };
}

function unreadable(error: unknown, place: string): unknown {
  if (!(error instanceof DecryptionError)) return error;
  const text = `unable to transform key ${JSON.stringify(place)}: ${error.message}`;
  return new StoreError('unreadable', text, { cause: error });
}
