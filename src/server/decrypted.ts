import { type EncryptedStore, encryptedStore, noEncryption } from '../encryption/index.ts';
import type { BuiltInKind } from '../kinds/index.ts';
import type { GroupResource } from '../meta/index.ts';
import { keyPrefixOf } from '../registry/index.ts';
import type { OpenStorage } from './open-storage.ts';
import type { ServerOptions } from './options.ts';

/**
 * Decrypts the values of a storage. Without a configuration nothing is encrypted, and reading an encrypted value
 * fails with upstream's message.
 */
export function decrypted(
  { store, keyInDatabase = (key) => key }: OpenStorage,
  { encryption }: ServerOptions,
  kinds: () => readonly BuiltInKind[],
): EncryptedStore {
  const resourceOf = encryption === undefined ? () => undefined : resourceOfKey(kinds());
  return encryptedStore(store, { rules: encryption ?? noEncryption, resourceOf, keyInDatabase });
}

/** Keys of custom resources contain the group, which has a dot. */
const customKey = /^\/registry\/([^/]*\.[^/]*)\/([^/]*)\//;

function resourceOfKey(kinds: readonly BuiltInKind[]): (key: string) => GroupResource | undefined {
  const byPrefix = new Map<string, GroupResource>();
  for (const { type, storedAs } of kinds) {
    const prefix = storedAs?.prefix ?? keyPrefixOf(type);
    // Events are served in two groups, and stored as those of the core group, which is listed first.
    if (!byPrefix.has(prefix)) byPrefix.set(prefix, { group: type.group, resource: type.resource });
  }
  return (key) => {
    const [, group, resource] = customKey.exec(key) ?? [];
    if (group !== undefined && resource !== undefined) return { group, resource };
    const [, root, first, second] = key.split('/', 4);
    return byPrefix.get(`/${root}/${first}/`) ?? byPrefix.get(`/${root}/${first}/${second}/`);
  };
}
