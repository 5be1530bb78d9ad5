import { type JsonObject, ownObject, ownString, type WebhookClientConfig } from '../meta/index.ts';
import { stringsOf, textOf } from './spec-view.ts';

/** The webhook that converts between the versions of a resource. */
export interface ConversionWebhookConfig {
  readonly client: WebhookClientConfig;
  /** The versions of ConversionReview that it understands, preferred first. */
  readonly reviewVersions: readonly string[];
}

/** `spec.conversion.webhook`, ready for calls; undefined if the versions differ only in name. */
export function conversionWebhookOf(spec: JsonObject): ConversionWebhookConfig | undefined {
  const conversion = ownObject(spec, 'conversion');
  if (conversion === undefined || textOf(conversion, 'strategy') !== 'Webhook') return undefined;
  const webhook = ownObject(conversion, 'webhook') ?? {};
  return Object.freeze({
    client: Object.freeze(webhookClientConfigOf(ownObject(webhook, 'clientConfig') ?? {})),
    reviewVersions: Object.freeze(stringsOf(webhook, 'conversionReviewVersions')),
  });
}

/** A `clientConfig` of a CRD or an admission webhook, ready for calls. */
export function webhookClientConfigOf(config: JsonObject): WebhookClientConfig {
  const pem = Buffer.from(textOf(config, 'caBundle'), 'base64').toString('latin1');
  // A bundle of white space counts as none: upstream stores it.
  const caPem = pem.trim() === '' ? '' : pem;
  const service = ownObject(config, 'service');
  if (service === undefined) return { address: { url: ownString(config, 'url') ?? '' }, caPem };
  const { port } = service;
  const reference = {
    namespace: textOf(service, 'namespace'),
    name: textOf(service, 'name'),
    port: typeof port === 'number' ? port : 443,
    path: textOf(service, 'path'),
  };
  return { address: { service: reference }, caPem };
}
