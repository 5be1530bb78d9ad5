/** Each header apart, by its name in lower case; one of the same name follows another. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

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
  /** The headers whose lower-case name begins so, in their order; several of the same name stay apart. */
  headersFrom(prefix: string): HeaderLines;
}

/** A client certificate as the transport has judged it. One object per connection. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, in lower-case hex: what a revocation names. */
  readonly fingerprint: string;
  /** When the certificate ends, in ms since 1970. */
  readonly expiresAtMs: number;
  /** The fingerprints of the chain that was verified, the certificate's own first. */
  readonly chain: readonly string[];
  /** Why the transport does not believe the certificate; undefined for one that it has verified. */
  readonly fault?: string;
}
