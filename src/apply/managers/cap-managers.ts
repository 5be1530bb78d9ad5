import { compareBytes } from '../../meta/index.ts';
import { type ManagerEntries, type ManagerEntry, secondsOf } from './managed-fields.ts';
import { managerKey } from './manager-identity.ts';

/** The maximum number of distinct updaters. Appliers are not counted: removing their entries would break pruning. */
const updateManagersMax = 10;

const bucketName = 'ancient-changes';

/**
 * Merges the oldest updaters of a version into one named `ancient-changes` until at most `max` are left. A version
 * with one updater keeps it, so the limit can be exceeded by the number of versions.
 */
export function capUpdateManagers(entries: ManagerEntries, max = updateManagersMax): ManagerEntries {
  const updaters = [...entries].filter(([, entry]) => !entry.applied);
  if (updaters.length <= max) return entries;
  updaters.sort(([aKey, a], [bKey, b]) => secondsOf(a.time) - secondsOf(b.time) || compareBytes(aKey, bKey));
  const capped = new Map(entries);
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const [key, entry] of updaters) {
    if (count <= max) break;
    const first = firstOf.get(entry.version);
    if (first === undefined) {
      firstOf.set(entry.version, key);
    } else {
      mergeIntoBucket(capped, first, key);
      count -= 1;
    }
  }
  return capped;
}

function mergeIntoBucket(entries: Map<string, ManagerEntry>, first: string, key: string): void {
  const entry = entries.get(key);
  if (entry === undefined) return;
  const { version, time } = entry;
  const identity = {
    manager: bucketName,
    operation: 'Update',
    apiVersion: version,
    subresource: '',
  } as const;
  const bucketKey = managerKey(identity);
  const bucket = entries.get(bucketKey) ?? entries.get(first);
  if (!entries.has(bucketKey)) entries.delete(first);
  entries.delete(key);
  const set = bucket === undefined ? entry.set : entry.set.union(bucket.set);
  entries.set(bucketKey, { identity, version, applied: false, set, time });
}
