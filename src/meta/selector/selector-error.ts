/** A selector that cannot be read. The message is exactly the text that a client gets with its 400. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}
