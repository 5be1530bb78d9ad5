/**
 * A failed webhook call: no response, or an invalid one. The message is that of kube-apiserver's client, because
 * clients see it in a `metav1.Status`.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** The status code of an HTTP error response; undefined if there was none. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}
