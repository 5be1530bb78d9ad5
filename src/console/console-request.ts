import type { ClientCertificate } from '../auth/index.ts';

/** The parts of a request that the console reads. */
export interface ConsoleRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  readonly query: Pick<URLSearchParams, 'get'>;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** @throws {StatusError} 413 above the limit of request bodies */
  body(): Promise<Uint8Array>;
  readonly certificate: ClientCertificate | undefined;
}

/** The response. */
export interface ConsoleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}
