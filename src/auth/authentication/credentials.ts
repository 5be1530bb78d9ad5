/** Header names (lower case) and values; a repeated header has several entries. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** The credentials of a request. */
export interface Credentials {
  /** The token of `Authorization: Bearer ...`; empty where there is none. */
  readonly bearerToken: string;
  /** The client certificate of the connection, if any. */
  readonly certificate: ClientCertificate | undefined;
  /** The path of the request; anonymous requests may be limited to some paths. */
  readonly path: string;
  /** The audiences that a TokenReview asks for; this server's if omitted. */
  readonly audiences?: readonly string[];
  /** A header by its lower-case name; repeated headers are joined by a comma. */
  header(name: string): string | undefined;
  /** The headers whose lower-case name has the prefix, in order; repeated headers stay separate. */
  headersFrom(prefix: string): HeaderLines;
}

/** A client certificate and the transport's verdict on it. One object per connection. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, in lower-case hex; revocations use it. */
  readonly fingerprint: string;
  /** When the certificate expires, in ms since 1970. */
  readonly expiresAtMs: number;
  /** The fingerprints of the verified chain, the leaf first. */
  readonly chain: readonly string[];
  /** Why the transport does not trust the certificate; undefined if it is verified. */
  readonly fault?: string;
}
