import { parentPort, type MessagePort, workerData } from 'node:worker_threads';
import { openSharedStore, prefixRange, type Store, type StoreShare } from '../../src/storage/index.ts';
import { cpuOfThreadUs, type Job, work } from './work.ts';

/** Does what it is told with a store that another thread owns, and answers with the CPU of this thread. */
async function serve(port: MessagePort, store: Store): Promise<void> {
  port.on('message', async (job: Job | 'follow') => {
    if (job === 'follow') {
      void follow(store);
      port.postMessage(0);
      return;
    }
    const startUs = cpuOfThreadUs();
    await work(store, job);
    port.postMessage(cpuOfThreadUs() - startUs);
  });
}

async function follow(store: Store): Promise<void> {
  const watch = store.watch(prefixRange('/'), { after: await store.revision() });
  for await (const _ of watch);
}

// Started by bench/threads.ts with a share alone.
if (parentPort !== null) void serve(parentPort, openSharedStore(workerData as StoreShare));
