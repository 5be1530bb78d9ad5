import type { WebhookResponse } from './webhook-client.ts';

/** A call of a webhook that is about to be made. */
export interface WebhookCall {
  /** Whose objects are to be converted, or admitted. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  readonly url: string;
  /** What is sent: of an admission webhook, its AdmissionReview. */
  readonly document?: Uint8Array;
}

/**
 * Stands between a server and the webhooks that it calls: calls, or answers in the webhook's place, or throws a
 * {@link WebhookError} as where nobody answers.
 */
export type WebhookFilter = (
  call: WebhookCall,
  next: () => Promise<WebhookResponse>,
) => Promise<WebhookResponse>;

/** The way through all filters, the first one first. */
export function throughFilters(
  filters: readonly WebhookFilter[],
  call: WebhookCall,
  end: () => Promise<WebhookResponse>,
): Promise<WebhookResponse> {
  const [first, ...others] = filters;
  return first === undefined ? end() : first(call, () => throughFilters(others, call, end));
}
