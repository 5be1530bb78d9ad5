import type { EtcdStore } from './etcd-store.ts';
import type { EtcdOptions } from './options.ts';

/**
 * Opens a store in etcd. The driver and gRPC are loaded on first use.
 *
 * @throws {StoreError} `refused` for endpoints that are no addresses, and where etcd does not let us in; `unavailable`
 *   where it cannot be reached
 */
export async function openEtcdStore(options: EtcdOptions): Promise<EtcdStore> {
  const { EtcdStore } = await import('./etcd-store.ts');
  const store = new EtcdStore(options, Math.random);
  try {
    await store.check();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
