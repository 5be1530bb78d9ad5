/** An etcd as storage, which other servers may use too. */
export interface EtcdStorageOptions {
  readonly kind: 'etcd';
  /** `https://etcd-1.example.com:2379`; those that work are found. */
  readonly endpoints: readonly string[];
  /** The prefix of all keys; `/registry`, as in Kubernetes, by default. Each tenant of an etcd has its own. */
  readonly prefix?: string;
  /** As PEM. */
  readonly tls?: EtcdTls;
  readonly user?: EtcdUser;
}

/** How to reach an etcd, and where in it the keys are. */
export interface EtcdOptions {
  /** `http://10.0.0.1:2379`; with several, one that works is found. */
  readonly endpoints: readonly string[];
  /** Replaces {@link root} in etcd: `/registry`, or a prefix for each tenant. Leading and trailing slashes are ignored. */
  readonly prefix: string;
  /** The prefix of the keys of this store; empty if keys are appended to the prefix unchanged. */
  readonly root?: string;
  readonly tls?: EtcdTls;
  readonly user?: EtcdUser;
  readonly timing?: Partial<EtcdTiming>;
  readonly limits?: Partial<EtcdLimits>;
  /** Told of every interruption. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Certificates as PEM. */
export interface EtcdTls {
  /** The CA of etcd's certificate; the system's CAs by default. */
  readonly caPem?: string;
  /** Who we are. */
  readonly certPem?: string;
  readonly keyPem?: string;
}

export interface EtcdUser {
  readonly name: string;
  readonly password: string;
}

/** How long things may take. */
export interface EtcdTiming {
  /** One call. etcd itself gives up after 7 s. */
  readonly callMsMax: number;
  /** Compaction waits until the room is free. */
  readonly compactMsMax: number;
  /** How long calls wait for a connection after it was lost; later ones fail at once. */
  readonly patienceMs: number;
  /** How long a call waits for a connection that has been down for longer than that. */
  readonly hurriedMs: number;
  /** The wait after the first failure in a row; it doubles. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  /** The interval of pings on a silent connection, as upstream ... */
  readonly keepaliveMs: number;
  /** ... and given up when the answer takes longer. */
  readonly keepaliveTimeoutMs: number;
  /**
   * With several members: how long to wait for a small read or a watch that has waiters before another member is tried.
   * It doubles each time, because all members may be slow.
   */
  readonly stallMsMax: number;
  /** How often watch progress is requested, also as a keep-alive. */
  readonly progressMs: number;
  /** A watch that is silent for this long is reopened. */
  readonly silenceMsMax: number;
}

export const defaultTiming: EtcdTiming = Object.freeze({
  callMsMax: 10_000,
  compactMsMax: 300_000,
  patienceMs: 5_000,
  hurriedMs: 250,
  retryMsMin: 20,
  retryMsMax: 1_000,
  keepaliveMs: 10_000,
  keepaliveTimeoutMs: 5_000,
  stallMsMax: 1_500,
  progressMs: 5_000,
  silenceMsMax: 15_000,
});

/** Limits of requests in flight and of buffers. */
export interface EtcdLimits {
  /** Records in one answer; a longer list is read in pages of one revision. */
  readonly pageRecordsMax: number;
  /** The largest accepted response; a larger page is read in halves. */
  readonly receiveBytesMax: number;
  /** Events kept for watches that begin in the past ... */
  readonly windowEventsMax: number;
  /** ... and their bytes; older ones are read from etcd. */
  readonly windowBytesMax: number;
}

export const defaultLimits: EtcdLimits = Object.freeze({
  pageRecordsMax: 5_000,
  receiveBytesMax: 256 * 1024 * 1024,
  windowEventsMax: 5_000,
  windowBytesMax: 32 * 1024 * 1024,
});
