import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';
import { storeSuite } from '../suite.ts';
import { shareStore, type StoreShare } from './share-store.ts';
import { openSharedStore } from './shared-store.ts';
import { bundledProgram, startThread } from './start-thread.test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-thread-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('with the owner in another thread', () => {
  let owner: Worker;
  beforeAll(async () => {
    owner = startThread(await bundledProgram('owner.test-support.ts'), { workerData: undefined });
  });
  afterAll(() => owner.terminate());

  async function open(): Promise<Store> {
    owner.postMessage('open');
    // Only the program of the owner sends messages, and it sends shares.
    const [share] = (await once(owner, 'message')) as [StoreShare];
    return openSharedStore(share);
  }

  storeSuite({ name: 'shared memory', open });
});

describe('with the owner in the same thread', () => {
  const stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });

  async function open(): Promise<Store> {
    const owner = shareStore(await openSqliteStore({ dataDir: mkdtempSync(join(folder, 'data-')) }));
    stores.push(owner.store);
    return openSharedStore(owner.share());
  }

  storeSuite({ name: 'shared sqlite', open });
});
