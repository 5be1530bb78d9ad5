/** A path that does not parse, or that does not fit the object. The message is client-go's, if it has one. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
