import type { WebhookResponse } from './webhook-client.ts';

/** A webhook call before it is sent. */
export interface WebhookCall {
  /** The CRD or resource whose objects are converted or admitted. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  readonly url: string;
  /** The request body: for an admission webhook, its AdmissionReview. */
  readonly document?: Uint8Array;
}

/**
 * Intercepts webhook calls: it passes a call on, responds in the webhook's place, or throws a {@link WebhookError} as
 * if there was no response.
 */
export type WebhookFilter = (
  call: WebhookCall,
  next: () => Promise<WebhookResponse>,
) => Promise<WebhookResponse>;

/** Chains filters; the first one is called first. */
export function throughFilters(
  filters: readonly WebhookFilter[],
  call: WebhookCall,
  end: () => Promise<WebhookResponse>,
): Promise<WebhookResponse> {
  const [first, ...others] = filters;
  return first === undefined ? end() : first(call, () => throughFilters(others, call, end));
}
