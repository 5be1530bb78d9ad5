import type { DriverParts, OpenedStore, StorageDriver } from './driver.ts';
import { etcdDriver } from './etcd/driver.ts';
import { memoryDriver } from './memory/driver.ts';
import { postgresDriver } from './postgres/driver.ts';
import { sqliteDriver } from './sqlite/driver.ts';

const all = [memoryDriver, sqliteDriver, etcdDriver, postgresDriver] as const;

/** Where objects are kept: the options of one of the drivers. */
export type StorageOptions = Parameters<(typeof all)[number]['open']>[0];

/** Every driver. A new one is a folder and a line above. */
export const drivers: readonly StorageDriver<StorageOptions>[] = all;

/** @throws {Error} for an unknown kind, which only untyped callers can pass */
export function driverOf(kind: string): StorageDriver<StorageOptions> {
  const driver = drivers.find((candidate) => candidate.kind === kind);
  if (driver !== undefined) return driver;
  const kinds = drivers.map((candidate) => candidate.kind).join(', ');
  throw new Error(`there is no storage ${JSON.stringify(kind)}, only ${kinds}`);
}

/**
 * Opens a store by the driver of its kind.
 *
 * @throws {StoreError} `refused` for what cannot be used, `unavailable` for a database that cannot be reached
 */
export async function openDriver(options: StorageOptions, parts: DriverParts): Promise<OpenedStore> {
  return driverOf(options.kind).open(options, parts);
}
