/**
 * Bytes that do not decode. The message is that of Go's decoder for the same bytes, because clients see it in a
 * `metav1.Status`.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
