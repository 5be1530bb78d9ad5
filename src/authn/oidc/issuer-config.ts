/** How a claim or a CEL expression is mapped to a part of a user. */
export type Mapping = { readonly claim: string; readonly prefix: string } | { readonly expression: string };

/** A rule for claims or for the mapped user. */
export type ClaimRule =
  | { readonly claim: string; readonly requiredValue: string }
  | { readonly expression: string; readonly message: string };

export interface UserRule {
  readonly expression: string;
  readonly message: string;
}

/** A trusted issuer and its mappings. Source: apiserver, apis/apiserver/v1, JWTAuthenticator. */
export interface IssuerConfig {
  readonly url: string;
  /** The URL of the issuer's configuration, if not the standard one. */
  readonly discoveryUrl: string | undefined;
  readonly caPem: string | undefined;
  /** A token must be for one of these audiences. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly username: Mapping;
  readonly groups: Mapping | undefined;
  readonly uid: Mapping | undefined;
  readonly extra: readonly { readonly key: string; readonly expression: string }[];
  readonly claimRules: readonly ClaimRule[];
  readonly userRules: readonly UserRule[];
}

/** The signature algorithms allowed for issuers. Source: apiserver, token/oidc, allowedSigningAlgs. */
export const signingAlgorithms: readonly string[] = Object.freeze([
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
]);
