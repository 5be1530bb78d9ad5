import type { Clock } from '../../meta/index.ts';
import { type Authentication, BadCredentialsError } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';
import type { ClientCertificate, Credentials } from './credentials.ts';

/** Certificates that count no longer, although they are good. */
export interface CertificateRevocations {
  /** @param fingerprint SHA-256 of the certificate, in lower-case hex */
  isRevoked(fingerprint: string): boolean;
  /** Calls back when more certificates are revoked. Gives what ends that. */
  onChange?(listener: () => void): () => void;
}

interface CertificateOptions {
  /** The clock that TLS goes by: a certificate that it has let in has not expired. */
  readonly clock: Clock;
  /** False where the server goes by another clock, by which watches could not end with the certificate. */
  readonly tellsExpiry?: boolean;
  readonly revocations: readonly CertificateRevocations[];
  /** Whether an authority of users is in the chain of a certificate; any that the transport believes where it is left out. */
  readonly isTrusted?: (chain: readonly string[]) => boolean;
}

const credentialId = 'authentication.kubernetes.io/credential-id';

/**
 * A client certificate names its user as common name and the groups as organizations. It is judged for each request, as
 * it may expire or be revoked while its connection lasts.
 * Source: apiserver, authentication/request/x509.
 */
export class CertificateAuthenticator implements Authenticator {
  readonly #options: CertificateOptions;
  /** A connection has one certificate for all its requests. */
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
    // A proxy's, or one of an authority that is believed no more.
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
