import { parentPort } from 'node:worker_threads';
import { createMemoryStore } from '../memory/memory-store.ts';
import { shareStore } from './share-store.ts';

/** A program that owns stores: it answers each message with a share of a new one. */
parentPort?.on('message', () => {
  const share = shareStore(createMemoryStore()).share();
  parentPort?.postMessage(share, [share.port]);
});
