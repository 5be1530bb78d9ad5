export { readAuthorizationConfiguration, type WebhookConfig } from './authorization-configuration.ts';
export { AccessConditions } from './match-conditions.ts';
export { WebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook-authorizer.ts';
