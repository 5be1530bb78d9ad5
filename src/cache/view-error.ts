import type { Revision } from '../storage/index.ts';

/** The reason why the view could not answer. */
type ViewErrorCode =
  /** The requested revision is older than the window. */
  | 'expired'
  /** The view has not reached the requested revision yet. */
  | 'future'
  /** The view did not reach the revision in time. */
  | 'timeout'
  /** The view was closed. */
  | 'closed';

interface ViewErrorDetails {
  readonly requested?: Revision;
  readonly oldest?: Revision;
  readonly current?: Revision;
  readonly cause?: unknown;
}

/** An error of the live view; the layer above translates it for clients. */
export class ViewError extends Error {
  override readonly name = 'ViewError';
  readonly code: ViewErrorCode;
  /** The requested revision; 0 if there was none. */
  readonly requested: Revision;
  /** For `expired`: the oldest revision for which a subscription after it, or a snapshot at it, is possible. */
  readonly oldest: Revision;
  /** The revision that the view had reached. */
  readonly current: Revision;

  constructor(code: ViewErrorCode, details: ViewErrorDetails = {}) {
    const { requested = 0, oldest = 0, current = 0, cause } = details;
    super(
      `live view: ${code} (asked for revision ${requested}, kept ${oldest} to ${current})`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.requested = requested;
    this.oldest = oldest;
    this.current = current;
  }
}
