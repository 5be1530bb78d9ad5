import type { Caller } from './calls.ts';

/** What a case works with. */
export interface CaseParts {
  readonly call: Caller;
  readonly dataDir: string;
  readonly port: number;
}

/** One kind of request that is much work. */
export interface StallCase {
  readonly name: string;
  /** Makes what the request needs; not measured. */
  readonly setUp?: (parts: CaseParts) => Promise<void>;
  /** What is measured: once for each round. */
  readonly run: (parts: CaseParts, round: number) => Promise<void>;
  /** Between two rounds; not measured. */
  readonly restore?: (parts: CaseParts, round: number) => Promise<void>;
  readonly tearDown?: (parts: CaseParts) => Promise<void>;
  /** Fewer rounds for what takes long to prepare. */
  readonly rounds?: number;
  /** True if the server is restarted for each round, and the start is part of the measurement. */
  readonly starts?: boolean;
}
