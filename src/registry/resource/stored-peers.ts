import { limits, nameOf, namespaceOf } from '../../meta/index.ts';
import { prefixRange } from '../../storage/index.ts';
import type { Served } from './served.ts';
import { representationObject, representationOf } from '../representation/representation.ts';
import { viewCall } from './view-wait.ts';
import type { StoredPeers } from '../../kinds/index.ts';
import type { StorageClaims } from './storage-claims.ts';

/** The stored objects of a resource, from its live view. `claims` is set if several servers share the storage. */
export function storedPeersOf(target: Served, claims: StorageClaims | undefined): StoredPeers {
  const { resource } = target;
  return {
    resource,
    ...(claims === undefined ? {} : { claims: claims.of(target.type.resource) }),
    waitForLatest: () => viewCall(() => resource.view.consistent({ timeoutMs: limits.freshnessWaitMsMax })),
    keyOf: (object) => resource.key(namespaceOf(object), nameOf(object)),
    *all() {
      for (const entry of resource.view.snapshot().range(prefixRange(resource.prefix))) {
        const { key } = entry;
        yield {
          identity: entry,
          key,
          object: () => representationObject(representationOf(entry, target), entry.modRevision),
        };
      }
    },
  };
}
