import { randomBytes } from 'node:crypto';
import {
  type Authentication,
  type Authenticator,
  authenticatedUser,
  type CertificateRevocations,
} from '../auth/index.ts';
import type { UserInfo } from '../meta/index.ts';

/** A user and its bearer token. */
interface TokenUser {
  readonly user: UserInfo;
  readonly token: string;
}

/** Users that the server created, each with a bearer token, and the revoked certificates. */
export class Users implements CertificateRevocations {
  readonly #byToken = new Map<string, Authentication>();
  readonly #tokens = new Map<string, string>();
  readonly #revoked = new Set<string>();
  readonly #listeners = new Set<() => void>();

  readonly authenticator: Authenticator = {
    authenticate: ({ bearerToken }) => this.#byToken.get(bearerToken),
    onChange: (listener) => this.onChange(listener),
  };

  /** A user with the group system:authenticated; the same one for the same name and groups. */
  add(asked: UserInfo): TokenUser {
    const user = authenticatedUser(asked);
    const id = JSON.stringify([user.name, user.uid, user.groups]);
    const token = this.#tokens.get(id) ?? newToken();
    this.#tokens.set(id, token);
    this.#byToken.set(token, Object.freeze({ user }));
    return { user, token };
  }

  /** A removable user with a unique token. */
  addRemovable(asked: UserInfo): TokenUser {
    const user = authenticatedUser(asked);
    const token = newToken();
    this.#byToken.set(token, Object.freeze({ user }));
    return { user, token };
  }

  /** Revokes the token and the certificate. */
  remove(token: string, fingerprint: string | undefined): void {
    this.#byToken.delete(token);
    if (fingerprint !== undefined) this.#revoked.add(fingerprint);
    for (const listener of this.#listeners) listener();
  }

  isRevoked(fingerprint: string): boolean {
    return this.#revoked.has(fingerprint);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}
