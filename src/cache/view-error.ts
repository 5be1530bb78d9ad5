import type { Revision } from '../storage/index.ts';

/** Why the view could not do what it was asked. */
type ViewErrorCode =
  /** The revision asked for is older than what was kept. */
  | 'expired'
  /** The revision asked for has not reached the view yet. */
  | 'future'
  /** The view did not reach the revision in the time given. */
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
  /** The revision that was asked for; 0 where none was. */
  readonly requested: Revision;
  /** For `expired`: a subscription after this revision, or a snapshot at it, would have been served. */
  readonly oldest: Revision;
  /** What the view had reached. */
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
