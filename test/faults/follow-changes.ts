import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../src/storage/index.ts';
import type { Change } from './history.ts';
import { changeOf, widgets } from './run.ts';

/** Collects what happens while it happens, for a database that will forget it. */
export function followChanges(store: Store, after: number) {
  const changes: Change[] = [];
  let seen = after;
  const watch = store.watch(widgets, { after });
  const following = (async () => {
    for await (const { events, revision } of watch) {
      changes.push(...events.map(changeOf));
      seen = revision;
    }
  })();
  const failed = following.then(() => new Promise<never>(() => {}));
  failed.catch(() => {});
  /** Nothing may be forgotten before it has been seen here. */
  async function caughtUp(): Promise<void> {
    const revision = await store.revision();
    while (seen < revision) {
      watch.requestProgress();
      await Promise.race([failed, sleep(10)]);
    }
  }
  return {
    async compact(): Promise<void> {
      await caughtUp();
      await store.compact(seen);
    },
    async all(): Promise<readonly Change[]> {
      await caughtUp();
      watch.close();
      await following;
      return changes;
    },
  };
}
