import type { Authentication } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';
import type { ClientCertificate } from './credentials.ts';

/**
 * A client certificate names its user as common name and the groups as organizations.
 * Source: apiserver, authentication/request/x509.
 */
export class CertificateAuthenticator implements Authenticator {
  /** A connection has one certificate for all its requests. */
  readonly #users = new WeakMap<ClientCertificate, Authentication>();

  authenticate({ certificate }: { readonly certificate: ClientCertificate | undefined }) {
    if (certificate === undefined || certificate.commonName === '') return undefined;
    const known = this.#users.get(certificate);
    if (known !== undefined) return known;
    const { commonName, organizations } = certificate;
    const found: Authentication = Object.freeze({
      user: Object.freeze({ name: commonName, groups: Object.freeze([...organizations]) }),
    });
    this.#users.set(certificate, found);
    return found;
  }
}
