/** What a request brings to say who sends it. */
export interface Credentials {
  /** The token of `Authorization: Bearer ...`; empty where there is none. */
  readonly bearerToken: string;
  /** The client certificate of the connection; undefined where there is none. */
  readonly certificate: ClientCertificate | undefined;
  /** The path of the request: anonymous requests may be limited to some paths. */
  readonly path: string;
  /** Whom a token must be for, as a TokenReview asks; the server itself where it is left out. */
  readonly audiences?: readonly string[];
  /** A header by its lower-case name; several of the same name are joined by a comma. */
  header(name: string): string | undefined;
}

/** A client certificate as the transport has judged it. One object per connection. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, in lower-case hex: what a revocation names. */
  readonly fingerprint: string;
  /** When the certificate ends, in ms since 1970. */
  readonly expiresAtMs: number;
  /** Why the transport does not believe the certificate; undefined for one that it has verified. */
  readonly fault?: string;
}
