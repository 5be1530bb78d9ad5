// Authentication
export {
  anonymousUser,
  type Authentication,
  authenticatedUser,
  BadCredentialsError,
} from './authentication/authentication.ts';
export type { Authenticator } from './authentication/authenticator.ts';
export { AuthenticatorUnion } from './authentication/authenticator-union.ts';
export {
  CertificateAuthenticator,
  type CertificateRevocations,
} from './authentication/client-certificate.ts';
export { audienceAgnostic } from './authentication/audience-agnostic.ts';
export type { ClientCertificate, Credentials, HeaderLines } from './authentication/credentials.ts';
export { unknownTokens } from './authentication/unknown-tokens.ts';
export { parseTokenFile } from './authentication/token-file.ts';

// Tokens of service accounts
export {
  AccountAuthenticator,
  type LivingObject,
  type LivingObjects,
} from './service-accounts/account-authenticator.ts';
export { type BoundKind, boundKinds, type ClaimedObject } from './service-accounts/account-claims.ts';
export { AccountIssuer } from './service-accounts/account-issuer.ts';
export { KeyFolder } from './service-accounts/key-folder.ts';
export {
  givenKeys,
  passingKeys,
  readSigningKey,
  readVerifyingKeys,
  type SigningKeys,
} from './service-accounts/signing-keys.ts';
// Authorization
export { alwaysAllow, alwaysDeny } from './authorization/always.ts';
export type {
  AuthorizationAttributes,
  ResourceAttributes,
} from './authorization/authorization-attributes.ts';
export type {
  AllowedRule,
  AllowedRules,
  AuthorizationDecision,
  Authorizer,
} from './authorization/authorizer.ts';
export { AuthorizerChain } from './authorization/authorizer-chain.ts';
export { ReplaceableAuthorizer } from './authorization/replaceable-authorizer.ts';
export { denialText } from './authorization/denial-text.ts';
export { authorizeMasters, mastersGroup } from './authorization/masters.ts';

// Impersonation
export {
  type Impersonation,
  type ImpersonationRefusal,
  Impersonator,
} from './impersonation/impersonator.ts';
export {
  ImpersonationHeaderError,
  readWantedUser,
} from './impersonation/wanted-user.ts';

// Role-based access control
export { AccessRules } from './rbac/access-rules.ts';
export { escalationText, fullAuthority } from './rbac/escalation.ts';
export { type PolicyRule, policyRule, roleRefOf, rulesOf, subjectsOf } from './rbac/policy-rule.ts';
export { RbacAuthorizer, type RulesSource } from './rbac/rbac-authorizer.ts';
export { uncoveredRules } from './rbac/rule-coverage.ts';

// Certificates and kubeconfigs
export {
  CertificateRequestError,
  parseCertificateRequest,
  signatureProblem,
} from './certificates/certificate-request.ts';
export { signRequest } from './certificates/sign-request.ts';
export { loadCertificates } from './certificates/certificate-store.ts';
export {
  type Certificates,
  type KeyPair,
  makeCertificates,
  makeClientPair,
} from './certificates/certificates.ts';
export { FileRevocations } from './certificates/file-revocations.ts';
export {
  changeIssuedUsers,
  type IssuedUser,
  readIssuedUsers,
  usersFileName,
} from './certificates/issued-users.ts';
export { type KubeconfigUser, kubeconfigText } from './certificates/kubeconfig.ts';
