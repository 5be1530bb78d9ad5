/** An invalid selector. The message is exactly what a client gets with its 400. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}
