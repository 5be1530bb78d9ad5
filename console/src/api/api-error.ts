/** One field of a refusal. */
export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** A `Status`, as far as the pages read it. */
export interface Status {
  readonly kind?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: { readonly causes?: readonly Cause[]; readonly retryAfterSeconds?: number };
}

/** The server refused a request, and said why. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly status: Status;

  constructor(code: number, status: Status) {
    super(status.message ?? `the server answered ${code}`);
    this.code = code;
    this.status = status;
  }

  get causes(): readonly Cause[] {
    return this.status.details?.causes ?? [];
  }
}

/** The server could not be reached, or the answer broke off. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** What an error says to the person in front of the page. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the request was given up by the page itself. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
