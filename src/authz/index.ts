export {
  type AuthorizerConfig,
  readAuthorizationConfiguration,
  type WebhookConfig,
} from './authorization-configuration.ts';
export { AuthorizationConfigurationError } from './configuration-error.ts';
export { AccessConditions } from './match-conditions.ts';
export { WebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook-authorizer.ts';
