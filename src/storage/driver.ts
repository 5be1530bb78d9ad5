import type { CompactionOptions } from './compaction.ts';
import type { Revision, Store, StoredRecord, StoreError } from './store.ts';

/** A flag of the command line, described by the driver that it is for and parsed by the command line. */
export interface DriverFlag {
  /** As the help shows it: `--etcd-servers <urls>`; a name alone is a switch. */
  readonly form: string;
  readonly help: string;
  /** `list` splits at commas and may be repeated; `count` is a whole number. `text` where it is left out. */
  readonly kind?: 'text' | 'list' | 'count' | 'switch';
  readonly default?: string | number;
}

/** What flags were set to, by their names in camel case: `etcdServers`. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** Reads the file that a flag names. Throws an error that names both. */
export type ReadFlagFile = (flag: string, path: string) => Promise<string>;

/** What a driver gets from the server that opens it. */
export interface DriverParts {
  /** The prefix of all keys of the server: `/registry`. */
  readonly root: string;
  /** Called for every interruption, for the log. */
  readonly onTrouble: (error: unknown) => void;
}

/** A store that was opened, and what it takes to run on it. */
export interface OpenedStore {
  readonly store: Store;
  /** What the health check about it is called. */
  readonly name: string;
  /** Where the objects are, for errors; empty where that is no place. */
  readonly place: string;
  /** Rejects with what ails the store. */
  readonly health: () => Promise<unknown>;
  /** Resolves if the store is damaged and has to be restored. */
  readonly damaged: Promise<StoreError>;
  /** True where other servers may have the same objects. */
  readonly shared: boolean;
  /** Maps a key of the store to the key in the database; undefined if they are the same. */
  readonly keyInDatabase?: (key: string) => string;
  /** Forgets the past at an interval; returns what ends that. */
  readonly startCompaction: (options: CompactionOptions) => () => void;
}

/** Everything that a store has at one moment, to be read once. */
export interface StoreView {
  readonly revision: Revision;
  /** In the order of the keys. */
  readonly records: AsyncIterable<StoredRecord> | Iterable<StoredRecord>;
  close(): Promise<void>;
}

/** How `ilk migrate` names a store of the driver. */
interface MigrateAddress {
  /** Behind `--from` and `--to`: `-etcd`. */
  readonly suffix: string;
  /** `<urls>` */
  readonly form: string;
  /** `the etcd` */
  readonly what: string;
}

/** One kind of storage: its options, its flags, and how it is opened. Each is a folder, and a line in `drivers.ts`. */
export interface StorageDriver<O extends { readonly kind: string }> {
  readonly kind: O['kind'];
  /** The flag of `ilk serve` that chooses the driver by saying where its database is; undefined: `--storage` does. */
  readonly addressFlag: DriverFlag | undefined;
  /** Further flags, of `ilk serve` and `ilk migrate`. */
  readonly flags: readonly DriverFlag[];
  /** Undefined for a storage that cannot be copied. */
  readonly migrate: MigrateAddress | undefined;
  /**
   * Reads the options from flags, including the content of the files that they name. `address` is what was given to the
   * address flag, or the data directory.
   *
   * @throws where a file cannot be read, and for flags that need each other
   */
  fromFlags(address: string | readonly string[], flags: FlagValues, readFile: ReadFlagFile): Promise<O>;
  /**
   * Reads everything while servers may be running; missing if only its own process can read the storage.
   *
   * @throws as {@link open} does
   */
  view?(options: O, parts: DriverParts): Promise<StoreView>;
  /** @throws {StoreError} `refused` for what cannot be used, `unavailable` for a database that cannot be reached */
  open(options: O, parts: DriverParts): Promise<OpenedStore>;
}

/** For stores that cannot detect damage. Each store needs its own promise, because a promise retains its waiters. */
export const neverDamaged = (): Promise<StoreError> => new Promise(() => {});
