// Calling a webhook
export { WebhookClient, type WebhookClientOptions, type WebhookResponse } from './webhook-client.ts';
export { WebhookError } from './webhook-error.ts';
export { readResponse } from './read-response.ts';
export { throughFilters, type WebhookCall, type WebhookFilter } from './webhook-filter.ts';
export {
  type AdmissionConnection,
  AdmissionConnector,
  type AdmissionConnectorOptions,
} from './admission-connector.ts';
export { ServiceClient, type ServiceClientOptions } from './service-client.ts';
export {
  readServiceKubeconfig,
  type RemoteService,
  ServiceKubeconfigError,
} from './service-kubeconfig.ts';
// Where services are
export { parseServiceMap, type ServiceMap, ServiceMapError } from './service-map.ts';
// Conversion
export { conversionConnector, type ConversionConnectorOptions } from './conversion-connector.ts';
export { type ConversionBlame, ConversionError, type ConversionFailure } from './conversion-error.ts';
export {
  type Conversion,
  ConversionWebhook,
  type ConversionWebhookParts,
  type ReviewOutcome,
} from './conversion-webhook.ts';
