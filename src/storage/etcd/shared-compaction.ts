import type { Revision } from '../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import { rangeRpc, txnRpc } from './messages.ts';

/** Upstream's key, outside of every prefix: whoever shares an etcd shares its past, kube-apiservers included. */
const compactRevisionKey = Buffer.from('compact_rev_key');

interface SharedCompactionParts {
  readonly client: EtcdClient;
  readonly compact: (revision: Revision) => Promise<void>;
}

/**
 * Compaction by one of several servers at a time. All of them try to write the same key; who has seen its last change
 * succeeds, and forgets what was there at its own last turn. So nothing younger than one interval is ever forgotten.
 * Source: apiserver, storage/etcd3/compact.go.
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

  /** Forgets what is before the last turn, unless somebody else had a turn meanwhile. */
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

/** The revision that somebody compacted last, if they went by this key; 0 where nobody did. */
export async function lastShared(client: EtcdClient): Promise<Revision> {
  const { keyValues } = await client.call(rangeRpc, { key: compactRevisionKey }, { repeatable: true });
  const text = Buffer.from(keyValues[0]?.value ?? []).toString();
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
}
