export {
  type Authenticator,
  authenticateAnonymous,
  authenticateCertificate,
  authenticatedUser,
  type Credentials,
  firstOf,
} from './authenticator.ts';
export type { AuthorizationAttributes } from './authorization-attributes.ts';
export {
  type AuthorizationDecision,
  type Authorizer,
  authorizeAlways,
  authorizeMasters,
  denialText,
} from './authorizer.ts';
export { parseTokenFile, TokenFileError } from './token-file.ts';
export { loadCertificates } from './certificate-store.ts';
export { type Certificates, type KeyPair, makeCertificates } from './certificates.ts';
export { type KubeconfigParts, type KubeconfigUser, kubeconfigText } from './kubeconfig.ts';
