import type { ClientCertificate } from '../auth/index.ts';

/** A request as the console reads it. */
export interface ConsoleRequest {
  readonly method: string;
  /** As it was sent: still percent-encoded, without the query. */
  readonly path: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** @throws {StatusError} 413 above the limit of request bodies */
  body(): Promise<Uint8Array>;
  readonly certificate: ClientCertificate | undefined;
}

/** The answer to one. */
export interface ConsoleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
}
