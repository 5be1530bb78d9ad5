/** A source with invalid content; the message names it and the line. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}
