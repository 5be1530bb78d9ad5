import { observedStore } from '../../access/index.ts';
import { limits } from '../../meta/index.ts';
import type { LiveObjects } from '../../registry/index.ts';
import type { Store } from '../../storage/index.ts';
import type { SharedRevisions } from './shared-revisions.ts';

type Configuration = Pick<LiveObjects, 'prefix' | 'shows' | 'atLeast'>;

/**
 * Webhooks, policies, quotas and limits that one thread has written count in the next write of every thread: it waits
 * until its thread has them.
 */
export class ConfigurationWrites {
  readonly #configurations: readonly Configuration[];
  readonly #revisions: SharedRevisions;

  /** @param revisions one entry for each of the configurations */
  constructor(configurations: readonly Configuration[], revisions: SharedRevisions) {
    this.#configurations = configurations;
    this.#revisions = revisions;
  }

  /** Notes what is written to a store, before it is acknowledged. */
  observe(store: Store): Store {
    const prefixes = this.#configurations.map(({ prefix }) => prefix);
    return observedStore(store, prefixes, ({ key, revision }) => {
      const index = prefixes.findIndex((prefix) => key.startsWith(prefix));
      this.#revisions.note(index, revision);
    });
  }

  /** Waits for what other threads have written; undefined if this one has it all. */
  caughtUp(): Promise<void> | undefined {
    const waits = this.#configurations.flatMap((configuration, index) => {
      const latest = this.#revisions.latest(index);
      return configuration.shows(latest) ? [] : [configuration.atLeast(latest, limits.freshnessWaitMsMax)];
    });
    // If the storage is unreachable, the write is refused for that, or goes by what is known.
    return waits.length === 0 ? undefined : Promise.allSettled(waits).then(() => {});
  }
}
