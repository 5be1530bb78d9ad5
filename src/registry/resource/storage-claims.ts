import type { Claim, Claims } from '../../kinds/index.ts';
import { type Clock, limits } from '../../meta/index.ts';
import type { Commit, CommitResult, Store, StoredRecord } from '../../storage/index.ts';
import { storeCall } from '../request/store-call.ts';

/** The key prefix, beside those of all resources; upstream stores its service allocations there too. */
const root = '/registry/ranges/claims';

/**
 * Claims of servers that share a storage: a key for each name, which exists while a write needs it. A server that
 * crashes during a write leaves its claims; they are taken over when they are old. This is safe whatever the servers'
 * clocks say, because a write is committed only if its claims are unchanged.
 */
export class StorageClaims {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The claims of writes of one resource. */
  of(resource: string): Claims {
    return {
      take: (name) => this.#take(`${root}/${resource}/${name.replaceAll(' ', '-')}`),
      giveBack: (claim) => this.#giveBack(claim),
    };
  }

  async #take(key: string): Promise<Claim | undefined> {
    const value = Buffer.from(JSON.stringify({ madeMs: this.#clock.now() }));
    const first = await this.#commit({ key, value, expect: 0 });
    if (first.ok) return { key, modRevision: first.revision };
    const { current } = first;
    if (current === undefined || !this.#isOld(current)) return undefined;
    const second = await this.#commit({ key, value, expect: current.modRevision });
    return second.ok ? { key, modRevision: second.revision } : undefined;
  }

  #isOld({ value }: StoredRecord): boolean {
    const madeMs = madeMsOf(value);
    return madeMs === undefined || Math.abs(this.#clock.now() - madeMs) > limits.claimMsMax;
  }

  #commit(commit: Commit): Promise<CommitResult> {
    return storeCall(() => this.#store.commit(commit));
  }

  #giveBack({ key, modRevision }: Claim): void {
    // A claim that cannot be released is taken over later.
    this.#store.commit({ key, value: null, expect: modRevision }).catch(() => {});
  }
}

/** The time of a claim; undefined for invalid bytes. */
function madeMsOf(value: Uint8Array): number | undefined {
  try {
    const { madeMs } = JSON.parse(Buffer.from(value).toString());
    return typeof madeMs === 'number' ? madeMs : undefined;
  } catch {
    return undefined;
  }
}
