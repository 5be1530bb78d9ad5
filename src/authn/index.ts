// Configuration files
export { readAuthenticationConfiguration } from './authentication-configuration.ts';
export { ConfigurationError } from './configuration-error.ts';
// OpenID Connect issuers
export { CodeLogin } from './oidc/code-login.ts';
export { issuerOfFlags } from './oidc/issuer-of-flags.ts';
export { type IssuersParts, makeIssuers } from './oidc/make-issuers.ts';
export { ReplaceableAuthenticators } from './replaceable.ts';
// Token webhooks and authenticating proxies
export { RequestHeaderAuthenticator } from './request-header.ts';
export { TokenWebhook } from './token-webhook.ts';
