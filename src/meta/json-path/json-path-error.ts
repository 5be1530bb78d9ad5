/** A path that cannot be read, or that does not fit the object. The text is client-go's where it has one. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
