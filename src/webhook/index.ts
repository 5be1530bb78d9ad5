// Webhook calls
export { WebhookClient, type WebhookClientOptions, type WebhookResponse } from './webhook-client.ts';
export { WebhookError } from './webhook-error.ts';
export { readResponse } from './read-response.ts';
export type { WebhookCall, WebhookFilter } from './webhook-filter.ts';
export { type AdmissionConnection, AdmissionConnector } from './admission-connector.ts';
export { ServiceClient } from './service-client.ts';
export { readServiceKubeconfig, type RemoteService } from './service-kubeconfig.ts';
// Service addresses
export { parseServiceMap, type ServiceMap, ServiceMapError } from './service-map.ts';
// Conversion
export { conversionConnector } from './conversion-connector.ts';
export { ConversionError, type ConversionFailure } from './conversion-error.ts';
export { ConversionWebhook, type ReviewOutcome } from './conversion-webhook.ts';
