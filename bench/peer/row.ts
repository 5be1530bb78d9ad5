import type { Job, Outcome } from './load-generator.ts';
import type { ContenderName, PeerServer } from './contenders.ts';

/** What one turn measured. */
export interface Figures {
  /** A rate, a time or an amount, in the unit of its row. */
  readonly value: number;
  /** Wall time of one request, where requests were timed. */
  readonly p50Us?: number;
  readonly p99Us?: number;
  /** Processor time of the server for one request, event or start. */
  readonly cpuUs?: number;
  /** Errors, slow answers and the like are thrown, not counted. */
  readonly etcdCpuUs?: number;
}

/** A server in a turn of a row. */
export interface Turn {
  readonly contender: ContenderName;
  readonly server: PeerServer;
  /** From 0; the same for all contenders of a round. Names of new objects contain it. */
  readonly round: number;
  /** Has the load generator send something to the server. */
  send(job: Job, atEdge?: (edge: 'begin' | 'end') => void): Promise<Outcome>;
}

/** One line of the table. */
export interface Row {
  /** As the command line names it: `get-h2`. */
  readonly name: string;
  readonly what: string;
  readonly unit: '/s' | 'ms' | 'MB';
  /** Those of its scene, if left out. */
  readonly contenders?: readonly ContenderName[];
  measure(turn: Turn): Promise<Figures>;
}

/** Rows that are measured on the same servers. */
export interface Scene {
  readonly contenders: readonly ContenderName[];
  /** Servers live for all rounds, or each round starts new ones. */
  readonly lifetime: 'scene' | 'round';
  /** Each server makes certificates of its own. */
  readonly ownCertificates?: boolean;
  readonly rounds?: number;
  /** Makes what the rows are about. Bare servers are not prepared. */
  prepare?(turn: Omit<Turn, 'round'>): Promise<void>;
  /** The floor; it may look at a server that is prepared. */
  startBare?(
    site: { readonly folder: string; readonly pki: string },
    sample: PeerServer | undefined,
  ): Promise<PeerServer>;
  readonly rows: readonly Row[];
}
