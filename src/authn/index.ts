// Configuration files
export {
  type AnonymousConfig,
  type AuthenticationConfiguration,
  readAuthenticationConfiguration,
} from './authentication-configuration.ts';
export { ConfigurationError } from './configuration-error.ts';
// Issuers of OpenID Connect
export { type IssuerConfig, signingAlgorithms } from './oidc/issuer-config.ts';
export { issuerOfFlags } from './oidc/issuer-of-flags.ts';
export { type IssuersParts, makeIssuers, type OpenAuthenticator } from './oidc/make-issuers.ts';
export { ReplaceableAuthenticators } from './replaceable.ts';
// Others that are asked
export { RequestHeaderAuthenticator, type RequestHeaderOptions } from './request-header.ts';
export { TokenWebhook, type TokenWebhookOptions } from './token-webhook.ts';
