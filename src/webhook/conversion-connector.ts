import { type Clock, limits, newUid, type WebhookClientConfig } from '../meta/index.ts';
import { ConversionWebhook, type ReviewOutcome } from './conversion-webhook.ts';
import type { ServiceMap } from './service-map.ts';
import { throughFilters, type WebhookFilter } from './webhook-filter.ts';
import { WebhookClient } from './webhook-client.ts';

interface ConversionConnectorOptions {
  readonly services: ServiceMap;
  readonly random: (bytes: number) => Uint8Array;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  /** Called for every review. */
  readonly observe?: (outcome: ReviewOutcome) => void;
  /** The filters of calls, in order. */
  readonly filters?: readonly WebhookFilter[];
}

/** The CRD whose objects a webhook converts. */
interface Converted {
  readonly group: string;
  readonly resource: string;
}

/** Connects to the conversion webhooks of CRDs; each has its own connections. */
export function conversionConnector({
  services,
  random,
  clock,
  observe = () => {},
  timeoutMs = limits.conversionTimeoutMs,
  filters = [],
}: ConversionConnectorOptions) {
  return (
    config: { readonly client: WebhookClientConfig; readonly reviewVersions: readonly string[] },
    { group, resource }: Converted,
  ): ConversionWebhook => {
    const client = new WebhookClient(config.client, {
      services,
      timeoutMs,
      responseBytesMax: limits.webhookResponseBytesMax,
      connectionsMax: limits.webhookConnectionsMax,
    });
    const post = (document: Uint8Array) =>
      throughFilters(filters, { group, resource, url: client.shownUrl }, () => client.post(document));
    return new ConversionWebhook({
      crd: `${resource}.${group}`,
      client: { post, retire: () => client.retire(), close: () => client.close() },
      clock,
      observe,
      reviewVersions: config.reviewVersions,
      newUid: () => newUid(random),
    });
  };
}
