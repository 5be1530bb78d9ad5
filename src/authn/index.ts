// Configuration files
export { readAuthenticationConfiguration } from './authentication-configuration.ts';
export { ConfigurationError } from './configuration-error.ts';
// Issuers of OpenID Connect
export { issuerOfFlags } from './oidc/issuer-of-flags.ts';
export { type IssuersParts, makeIssuers } from './oidc/make-issuers.ts';
export { ReplaceableAuthenticators } from './replaceable.ts';
// Others that are asked
export { RequestHeaderAuthenticator } from './request-header.ts';
export { TokenWebhook } from './token-webhook.ts';
