/** A source that does not hold what it should; the message names it and the line. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}
