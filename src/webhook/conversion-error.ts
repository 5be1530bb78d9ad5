/** The scope of a failed conversion: one object, the whole review, or the call. */
type ConversionBlame = 'object' | 'review' | 'call';

/** What failed: the call, the response as a whole, the number of its objects, or one of them. */
export type ConversionFailure = ConversionBlame | 'count';

/** The webhook failed to convert an object. The message is upstream's. */
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
