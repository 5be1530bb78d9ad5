/** A PostgreSQL database as storage, which other servers may use too. */
export interface PostgresStorageOptions {
  readonly kind: 'postgres';
  /**
   * `postgres://user@host:5432/database`; several hosts with commas between: the one that can be written is found. What
   * it leaves out is taken from libpq's variables (`PGHOST`, `PGUSER`, `PGPASSWORD`, ...).
   */
  readonly url: string;
  /** Instead of the one in the URL. */
  readonly password?: string;
  /** TLS with verification of the server; hosts other than the loopback interface need it or `sslmode=disable`. */
  readonly tls?: PostgresTls;
  /** The schema of the tables, `ilk` by default; made where it is missing. */
  readonly schema?: string;
  /** The prefix of the table names: several stores fit in one schema. Empty by default. */
  readonly tablePrefix?: string;
  /** Connections for reads, 4 by default; two more are for writes and one for changes. */
  readonly poolMax?: number;
}

/** Certificates as PEM. */
export interface PostgresTls {
  /** The CA of the server's certificate; the system's CAs by default. */
  readonly caPem?: string;
  /** Who we are. */
  readonly certPem?: string;
  readonly keyPem?: string;
}

/** How a store in PostgreSQL is opened. */
export interface PostgresOptions extends Omit<PostgresStorageOptions, 'kind'> {
  readonly timing?: Partial<PostgresTiming>;
  readonly limits?: Partial<PostgresLimits>;
  /** Told of every interruption. */
  readonly onTrouble?: (error: unknown) => void;
}

/** How long things may take. */
export interface PostgresTiming {
  /** One statement, the wait for its answer included. */
  readonly callMsMax: number;
  readonly connectMsMax: number;
  /** How long calls wait for a connection after it was lost; later ones fail at once. */
  readonly patienceMs: number;
  /** How long a call waits for a connection that has been down for longer than that. */
  readonly hurriedMs: number;
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  /** How often changes are looked for where notifications do not pass, as behind a pooler. */
  readonly pollMs: number;
  /** How long the first notification may take before changes are looked for in that way. */
  readonly notifyMsMax: number;
  /** How often the feed looks for changes anyway, also as a sign of life. */
  readonly progressMs: number;
  /** A feed that is silent for this long is reopened. */
  readonly silenceMsMax: number;
}

export const defaultTiming: PostgresTiming = Object.freeze({
  callMsMax: 10_000,
  connectMsMax: 5_000,
  patienceMs: 5_000,
  hurriedMs: 250,
  retryMsMin: 20,
  retryMsMax: 1_000,
  pollMs: 100,
  notifyMsMax: 1_000,
  progressMs: 5_000,
  silenceMsMax: 15_000,
});

/** Limits of requests in flight and of buffers. */
export interface PostgresLimits {
  /** Records or events in one answer. */
  readonly pageRecordsMax: number;
  /** Events kept for watches that begin in the past ... */
  readonly windowEventsMax: number;
  /** ... and their bytes; older ones are read from the database. */
  readonly windowBytesMax: number;
}

export const defaultLimits: PostgresLimits = Object.freeze({
  pageRecordsMax: 1_000,
  windowEventsMax: 5_000,
  windowBytesMax: 32 * 1024 * 1024,
});
