/** Somebody else who knows people, and sends them back with a code: an issuer of OpenID Connect. */
export interface LoginProvider {
  /** For people to read. */
  readonly name: string;
  /** Where somebody says who they are; undefined where it cannot be asked. */
  address(login: {
    readonly redirectUri: string;
    readonly state: string;
    readonly nonce: string;
    readonly challenge: string;
  }): Promise<string | undefined>;
  /** The token for a code, which is judged as any other; undefined where there is none. */
  redeem(reply: {
    readonly code: string;
    readonly redirectUri: string;
    readonly nonce: string;
    readonly verifier: string;
  }): Promise<string | undefined>;
}
