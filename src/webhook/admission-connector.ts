import { limits, type WebhookClientConfig } from '../meta/index.ts';
import type { ServiceMap } from './service-map.ts';
import { WebhookClient, type WebhookResponse } from './webhook-client.ts';
import { throughFilters, type WebhookCall, type WebhookFilter } from './webhook-filter.ts';

interface AdmissionConnectorOptions {
  readonly services: ServiceMap;
  /** The filters of calls, in order. */
  readonly filters?: readonly WebhookFilter[];
}

/** A connection to one admission webhook. */
export interface AdmissionConnection {
  /** @throws {WebhookError} if the webhook does not respond in time */
  post(
    document: Uint8Array,
    call: Pick<WebhookCall, 'group' | 'resource'> & { readonly signal: AbortSignal },
  ): Promise<WebhookResponse>;
  /** Lets running calls finish, then closes the connections. */
  retire(): void;
  /** Aborts running calls. */
  close(): void;
}

/** Connects to admission webhooks; each has its own keep-alive connections. */
export class AdmissionConnector {
  readonly #options: AdmissionConnectorOptions;
  readonly #open = new Set<WebhookClient>();

  constructor(options: AdmissionConnectorOptions) {
    this.#options = options;
  }

  connect(config: WebhookClientConfig, timeoutMs: number): AdmissionConnection {
    const { services, filters = [] } = this.#options;
    const client = new WebhookClient(config, {
      services,
      timeoutMs,
      responseBytesMax: limits.admissionResponseBytesMax,
      connectionsMax: limits.webhookConnectionsMax,
      timeIsUpText: 'context deadline exceeded',
    });
    this.#open.add(client);
    return {
      post: (document, { group, resource, signal }) =>
        throughFilters(filters, { group, resource, url: client.shownUrl, document }, () =>
          client.post(document, signal),
        ),
      retire: () => {
        this.#open.delete(client);
        client.retire();
      },
      close: () => client.close(),
    };
  }

  /** Aborts all running calls. */
  close(): void {
    for (const client of this.#open) client.close();
  }
}
