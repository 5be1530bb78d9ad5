import { type EncryptedStore, encryptedStore, noEncryption } from '../encryption/index.ts';
import type { BuiltInKind } from '../kinds/index.ts';
import type { GroupResource } from '../meta/index.ts';
import { keyPrefixOf } from '../registry/index.ts';
import type { OpenStorage } from './open-storage.ts';
import type { ServerOptions } from './options.ts';

/**
 * The plain values of a storage. Without a configuration, nothing is encrypted, and what is encrypted is refused with
 * upstream's text.
 */
export function decrypted(
  { store, keyInDatabase = (key) => key }: OpenStorage,
  { encryption }: ServerOptions,
  kinds: () => readonly BuiltInKind[],
): EncryptedStore {
  const resourceOf = encryption === undefined ? () => undefined : resourceOfKey(kinds());
  return encryptedStore(store, { rules: encryption ?? noEncryption, resourceOf, keyInDatabase });
}

/** Custom resources have their group in their keys, which has a dot. */
const customKey = /^\/registry\/([^/]*\.[^/]*)\/([^/]*)\//;

function resourceOfKey(kinds: readonly BuiltInKind[]): (key: string) => GroupResource | undefined {
  const byPrefix = new Map<string, GroupResource>();
  for (const { type, storedAs } of kinds) {
    const prefix = storedAs?.prefix ?? keyPrefixOf(type);
    // Events are served in two groups, and stored as those of the core group, which come first.
    if (!byPrefix.has(prefix)) byPrefix.set(prefix, { group: type.group, resource: type.resource });
  }
  return (key) => {
    const [, group, resource] = customKey.exec(key) ?? [];
    if (group !== undefined && resource !== undefined) return { group, resource };
    const [, root, first, second] = key.split('/', 4);
    return byPrefix.get(`/${root}/${first}/`) ?? byPrefix.get(`/${root}/${first}/${second}/`);
  };
}
