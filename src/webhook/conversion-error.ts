/** Whose doing a failed conversion is: that of one object, of something in the review, or nobody answered at all. */
type ConversionBlame = 'object' | 'review' | 'call';

/** What went wrong: the call, the answer as a whole, the number of objects in it, or one of them. */
export type ConversionFailure = ConversionBlame | 'count';

/** An object could not be brought into another version by the webhook. The message is upstream's. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
  readonly failure: ConversionFailure;

  constructor(failure: ConversionFailure, message: string) {
    super(message);
    this.failure = failure;
  }

  get blame(): ConversionBlame {
    return this.failure === 'count' ? 'review' : this.failure;
  }
}
