/**
 * A call of a webhook that came to nothing: nobody answered, or what came is no answer. The message is what
 * kube-apiserver's client says of the same failure, because it reaches clients inside a `metav1.Status`.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}
