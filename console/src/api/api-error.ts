/** One cause of a refusal. */
export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The fields of a `Status` that the pages read. */
export interface Status {
  readonly kind?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: { readonly causes?: readonly Cause[]; readonly retryAfterSeconds?: number };
}

/** The server refused a request. */
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

/** The server could not be reached, or the response was truncated. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The message of an error for the user. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the page itself aborted the request. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
