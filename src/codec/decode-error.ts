/**
 * Bytes that are not what they claim to be. The message is the text that Go's decoder gives for the same bytes,
 * because it reaches clients inside a `metav1.Status`.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
