/**
 * A call of a webhook that came to nothing: nobody answered, or what came is no answer. The message is what
 * kube-apiserver's client says of the same failure, because it reaches clients inside a `metav1.Status`.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** Of the HTTP answer that was a refusal; undefined where there was no such answer. */
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}
