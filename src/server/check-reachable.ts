import type { Store } from '../storage/index.ts';

/** Upstream's patience with an etcd that is asked whether it is there. */
const reachableMsMax = 2_000;

/** Asks a storage for its revision. Rejects where it does not answer in time. */
export async function checkReachable(store: Store): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the storage does not answer')), reachableMsMax);
  });
  try {
    await Promise.race([store.revision(), late]);
  } finally {
    clearTimeout(timer);
  }
}
