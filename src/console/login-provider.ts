/** An OpenID Connect issuer at which users sign in to the console. */
export interface LoginProvider {
  /** The name that the sign-in page shows. */
  readonly name: string;
  /** The URL of the issuer's login page; undefined if the issuer does not respond. */
  address(login: {
    readonly redirectUri: string;
    readonly state: string;
    readonly nonce: string;
    readonly challenge: string;
  }): Promise<string | undefined>;
  /** Exchanges a code for an ID token; undefined if the issuer refuses. */
  redeem(reply: {
    readonly code: string;
    readonly redirectUri: string;
    readonly nonce: string;
    readonly verifier: string;
  }): Promise<string | undefined>;
}
