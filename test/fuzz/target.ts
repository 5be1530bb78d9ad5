import type { Random } from './random.ts';

/** What is sent. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: string | Uint8Array;
}

/** Sends a request, and gives the code of the answer and its text. */
export type Send = (request: FuzzRequest) => Promise<{ readonly code: number; readonly text: string }>;

/** Something that is fuzzed: a way to make requests. */
export interface FuzzTarget {
  readonly name: string;
  /** How many cases the part in CI has. */
  readonly shortCases: number;
  /** Brings the server to where the cases begin. */
  prepare(send: Send): Promise<void>;
  /** One case, made of its own randomness alone. */
  run(random: Random, send: Send, address: FuzzAddress): Promise<void>;
}

/** Where the server listens, for targets that speak to sockets. */
export interface FuzzAddress {
  readonly host: string;
  readonly port: number;
}
