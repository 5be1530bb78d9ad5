/** How a claim, or an expression over the claims, becomes a part of a user. */
export type Mapping = { readonly claim: string; readonly prefix: string } | { readonly expression: string };

/** A condition on claims or on the user that they make. */
export type ClaimRule =
  | { readonly claim: string; readonly requiredValue: string }
  | { readonly expression: string; readonly message: string };

export interface UserRule {
  readonly expression: string;
  readonly message: string;
}

/** An issuer whose tokens are believed, and what they say of a user. Source: apiserver, apis/apiserver/v1, JWTAuthenticator. */
export interface IssuerConfig {
  readonly url: string;
  /** Where the configuration of the issuer is, if not at its usual place. */
  readonly discoveryUrl: string | undefined;
  readonly caPem: string | undefined;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly username: Mapping;
  readonly groups: Mapping | undefined;
  readonly uid: Mapping | undefined;
  readonly extra: readonly { readonly key: string; readonly expression: string }[];
  readonly claimRules: readonly ClaimRule[];
  readonly userRules: readonly UserRule[];
}

/** The signatures that an issuer may use. Source: apiserver, token/oidc, allowedSigningAlgs. */
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
