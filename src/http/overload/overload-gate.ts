import type { KnownRequest } from '../filter.ts';
import type { HttpResponse } from '../message.ts';

/** A request that may run. */
export interface Admission {
  /** What every answer to it says of where it belongs. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Gives its place back. A watch calls it once it has begun; again, it does nothing. */
  leave(): void;
}

/** A request that may not run, and its answer. */
export interface Rejection {
  readonly response: HttpResponse;
}

/** Decides which requests run at once, and which wait or are sent away. */
export interface OverloadGate {
  /** Without a promise where the request need not wait. */
  enter(request: KnownRequest): Admission | Rejection | Promise<Admission | Rejection>;
}
