/**
 * Metadata that cannot be read: a field of the wrong type. `message` is the text of Go's JSON decoder, or of a field
 * error for the metadata of an embedded resource; the caller puts its own words around it.
 */
export class MetadataTypeError extends Error {
  override readonly name = 'MetadataTypeError';
  /**
   * Go's decoder continues after most errors and reports the first one at the end; an invalid time stops it at once.
   */
  readonly stopsDecoding: boolean;

  constructor(message: string, stopsDecoding = false) {
    super(message);
    this.stopsDecoding = stopsDecoding;
  }
}
