import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { closedError } from '../closed.ts';
import { mapWatch } from '../map-watch.ts';
import { type Store, StoreError } from '../store.ts';
import { EventEncoder } from './event-encoder.ts';
import { SharedRevision } from './shared-revision.ts';
import { WorkerPort } from './worker-port.ts';

/** What a worker thread needs to use the owner's store. It can be cloned; `port` must be in the transfer list. */
export interface StoreShare {
  readonly port: MessagePort;
  readonly revision: SharedArrayBuffer;
}

/** A store that worker threads use, too. */
export interface SharedStoreOwner {
  /**
   * The store for the owner's own use. Its commits raise the revision that workers see; those of the store below would
   * not. Closing it closes the shares.
   */
  readonly store: Store;
  /**
   * A share for one worker.
   *
   * @throws {StoreError} `closed`
   */
  share(): StoreShare;
  /** Answers the calls under way, then ends all shares; the store stays open. */
  close(): Promise<void>;
}

interface ShareOptions {
  /** Rejects with what ails the store; its revision is asked for by default. */
  readonly health?: () => Promise<unknown>;
}

/**
 * Shares a store with other threads of the process. Each gets a store of its own (`openSharedStore`), with one stream of
 * all changes.
 *
 * @throws {StoreError} `refused` for a store that other processes write to: each thread can open it itself
 */
export function shareStore(store: Store, options: ShareOptions = {}): SharedStoreOwner {
  const first = store.knownRevision;
  if (first === undefined) {
    throw new StoreError(
      'refused',
      'only an open store that no other process writes to can be shared with threads',
    );
  }
  const revision = new SharedRevision();
  revision.raise(first);
  const shared = raisingStore(store, revision);
  const health = options.health ?? (() => store.revision());
  const encoder = new EventEncoder();
  const ports = new Set<WorkerPort>();
  let isClosed = false;

  const close = async () => {
    isClosed = true;
    revision.close();
    await Promise.all([...ports].map((port) => port.close()));
  };
  return {
    store: {
      ...shared,
      get tellsTrueProgress() {
        return store.tellsTrueProgress;
      },
      get knownRevision() {
        return store.knownRevision;
      },
      async close() {
        await store.close();
        await close();
      },
    },
    share() {
      if (isClosed) throw closedError();
      const { port1, port2 } = new MessageChannel();
      const onClosed = () => ports.delete(port);
      const port = new WorkerPort({ port: port1, store: shared, health, encoder, onClosed });
      ports.add(port);
      return { port: port2, revision: revision.buffer };
    },
    close,
  };
}

/**
 * A store that raises the shared revision before anybody learns of one: a worker that is asked afterwards must know that
 * it exists.
 */
function raisingStore(store: Store, revision: SharedRevision): Store {
  const raise = () => revision.raise(store.knownRevision ?? 0);
  const raised = <T>(value: T): T => {
    raise();
    return value;
  };
  return {
    tellsTrueProgress: true,
    revision: () => store.revision().then(raised),
    get: (key, options) => store.get(key, options).then(raised),
    list: (range, options) => store.list(range, options).then(raised),
    commit: (commit) => store.commit(commit).then(raised),
    watch: (range, options) => mapWatch(store.watch(range, options), raised),
    compact(upTo) {
      const compacting = store.compact(upTo);
      if (upTo <= (store.knownRevision ?? 0)) revision.raiseCompacted(upTo);
      return compacting;
    },
    compactRevision: () => store.compactRevision(),
    close: () => store.close(),
  };
}
