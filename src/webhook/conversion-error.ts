/** Whose doing a failed conversion is: that of one object, of something in the review, or nobody answered at all. */
export type ConversionBlame = 'object' | 'review' | 'call';

/** An object could not be brought into another version by the webhook. The message is upstream's. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
  readonly blame: ConversionBlame;

  constructor(blame: ConversionBlame, message: string) {
    super(message);
    this.blame = blame;
  }
}
