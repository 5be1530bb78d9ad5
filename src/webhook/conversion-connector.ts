import { type Clock, limits, newUid, type WebhookClientConfig } from '../meta/index.ts';
import { ConversionWebhook, type ReviewOutcome } from './conversion-webhook.ts';
import type { ServiceMap } from './service-map.ts';
import { WebhookClient } from './webhook-client.ts';

export interface ConversionConnectorOptions {
  readonly services: ServiceMap;
  readonly random: (bytes: number) => Uint8Array;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  /** Told of every review. */
  readonly observe?: (outcome: ReviewOutcome) => void;
}

/** Connects to the conversion webhooks of CRDs, each by connections of its own. */
export function conversionConnector({
  services,
  random,
  clock,
  observe = () => {},
  timeoutMs = limits.conversionTimeoutMs,
}: ConversionConnectorOptions) {
  return (config: {
    readonly crd: string;
    readonly client: WebhookClientConfig;
    readonly reviewVersions: readonly string[];
  }): ConversionWebhook => {
    const client = new WebhookClient(config.client, {
      services,
      timeoutMs,
      responseBytesMax: limits.webhookResponseBytesMax,
      connectionsMax: limits.webhookConnectionsMax,
    });
    return new ConversionWebhook({
      crd: config.crd,
      client,
      clock,
      observe,
      reviewVersions: config.reviewVersions,
      newUid: () => newUid(random),
    });
  };
}
