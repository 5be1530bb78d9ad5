import type { Revision } from '../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import { rangeRpc, txnRpc } from './messages.ts';

/** Upstream's key, outside of every prefix: all servers of an etcd, kube-apiservers included, share its history. */
const compactRevisionKey = Buffer.from('compact_rev_key');

interface SharedCompactionParts {
  readonly client: EtcdClient;
  readonly compact: (revision: Revision) => Promise<void>;
}

/**
 * Compaction by one of several servers at a time. All of them try to write the same key; the one that has seen its last
 * change succeeds, and compacts to the revision of its own last turn. So nothing younger than one interval is
 * compacted. Source: apiserver, storage/etcd3/compact.go.
 */
export class SharedCompaction {
  readonly #parts: SharedCompactionParts;
  /** The revision at which the key was last seen; 0 where it was never there. */
  #seen: Revision = 0;
  /** The revision of the store at the last turn; 0 before the first. */
  #last: Revision = 0;

  /** @internal */
  constructor(parts: SharedCompactionParts) {
    this.#parts = parts;
  }

  /** Compacts to the revision of the last turn, unless another server had a turn since. */
  async takeTurn(): Promise<void> {
    const forgotten = this.#last;
    const value = Buffer.from(String(forgotten));
    const request = { key: compactRevisionKey, modRevision: this.#seen, value };
    const { succeeded, revision, current } = await this.#parts.client.call(txnRpc, request, {
      repeatable: false,
    });
    this.#seen = succeeded ? revision : (current?.modRevision ?? 0);
    this.#last = revision;
    if (succeeded && forgotten > 0) await this.#parts.compact(forgotten);
  }
}

/** The last compacted revision according to this key; 0 if there is none. */
export async function lastShared(client: EtcdClient): Promise<Revision> {
  const { keyValues } = await client.call(rangeRpc, { key: compactRevisionKey }, { repeatable: true });
  const text = Buffer.from(keyValues[0]?.value ?? []).toString();
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
}
