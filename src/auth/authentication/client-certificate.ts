import type { Clock } from '../../meta/index.ts';
import { type Authentication, BadCredentialsError } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';
import type { ClientCertificate, Credentials } from './credentials.ts';

/** Revoked certificates. */
export interface CertificateRevocations {
  /** @param fingerprint SHA-256 of the certificate, in lower-case hex */
  isRevoked(fingerprint: string): boolean;
  /** Calls back when more certificates are revoked. Returns the unsubscribe function. */
  onChange?(listener: () => void): () => void;
}

interface CertificateOptions {
  /** The clock that TLS uses: it has already refused certificates that are expired by this clock. */
  readonly clock: Clock;
  /** False if the server uses another clock; the expiry of the certificate then cannot end watches. */
  readonly tellsExpiry?: boolean;
  readonly revocations: readonly CertificateRevocations[];
  /**
   * Whether the certificate's chain contains a CA for users. If omitted, any CA that the transport trusts is accepted.
   */
  readonly isTrusted?: (chain: readonly string[]) => boolean;
}

const credentialId = 'authentication.kubernetes.io/credential-id';

/**
 * Authenticates by client certificate: the common name is the user, the organizations are the groups. Checked for each
 * request, because a certificate may expire or be revoked while its connection lasts.
 * Source: apiserver, authentication/request/x509.
 */
export class CertificateAuthenticator implements Authenticator {
  readonly #options: CertificateOptions;
  /** All requests of a connection share one certificate. */
  readonly #users = new WeakMap<ClientCertificate, Authentication>();

  constructor(options: CertificateOptions) {
    this.#options = options;
  }

  authenticate({ certificate }: Pick<Credentials, 'certificate'>): Authentication | undefined {
    if (certificate === undefined) return undefined;
    const fault = this.#faultOf(certificate);
    if (fault !== undefined) throw new BadCredentialsError(fault);
    if (certificate.commonName === '') return undefined;
    const known = this.#users.get(certificate);
    if (known !== undefined) return known;
    const { user, expiresAtMs } = authenticationOf(certificate);
    const { tellsExpiry = true } = this.#options;
    const found = Object.freeze(tellsExpiry ? { user, expiresAtMs } : { user });
    this.#users.set(certificate, found);
    return found;
  }

  onChange(listener: () => void): () => void {
    const ends = this.#options.revocations.flatMap((one) => one.onChange?.(listener) ?? []);
    return () => {
      for (const end of ends) end();
    };
  }

  #faultOf({ fault, expiresAtMs, fingerprint, chain }: ClientCertificate): string | undefined {
    if (fault !== undefined) return fault;
    const { isTrusted = () => true } = this.#options;
    // A proxy's certificate, or one of a CA that is no longer trusted.
    if (!isTrusted(chain)) return 'the client certificate is of no authority of users';
    if (expiresAtMs <= this.#options.clock.now()) return 'the client certificate has expired';
    if (this.#options.revocations.some((one) => one.isRevoked(fingerprint))) {
      return 'the client certificate is revoked';
    }
    return undefined;
  }
}

function authenticationOf(
  certificate: ClientCertificate,
): Required<Pick<Authentication, 'user' | 'expiresAtMs'>> {
  const { commonName, organizations, fingerprint, expiresAtMs } = certificate;
  const extra = new Map([[credentialId, Object.freeze([`X509SHA256=${fingerprint}`])]]);
  const user = Object.freeze({ name: commonName, groups: Object.freeze([...organizations]), extra });
  return { user, expiresAtMs };
}
