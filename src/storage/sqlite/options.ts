/** A SQLite database. */
export interface SqliteStorageOptions {
  readonly kind: 'sqlite';
  /** The folder that it is in, `ilk.db`; made where it is missing. */
  readonly dataDir: string;
  /** Opens a database that lacks its write-ahead log, without the writes in it. */
  readonly acceptMissingWal?: boolean;
}
