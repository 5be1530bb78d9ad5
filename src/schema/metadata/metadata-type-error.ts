/**
 * A metadata field has the wrong type. `message` is that of Go's JSON decoder, or of a field error for embedded
 * metadata; the caller adds its own prefix.
 */
export class MetadataTypeError extends Error {
  override readonly name = 'MetadataTypeError';
  /**
   * Go's decoder continues after most errors and reports the first; an invalid time aborts it.
   */
  readonly stopsDecoding: boolean;

  constructor(message: string, stopsDecoding = false) {
    super(message);
    this.stopsDecoding = stopsDecoding;
  }
}
