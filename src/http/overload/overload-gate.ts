import type { FlowHeaders } from '../../flowcontrol/index.ts';
import type { KnownRequest } from '../filter.ts';
import type { HttpResponse } from '../message.ts';

/** An admitted request. */
export interface Admission {
  /** Headers of every response, which name its level and schema. */
  readonly headers: FlowHeaders | undefined;
  /** Releases its place. A watch calls it once it has started; further calls do nothing. */
  leave(): void;
}

/** A rejected request and its response. */
export interface Rejection {
  readonly response: HttpResponse;
  readonly headers?: FlowHeaders;
}

/** Decides which requests run at once, wait or are rejected. */
export interface OverloadGate {
  /** Returns a plain value if the request need not wait. */
  enter(request: KnownRequest): Admission | Rejection | Promise<Admission | Rejection>;
}
