import { randomBytes } from 'node:crypto';
import { type Authentication, type Authenticator, authenticatedUser } from '../auth/index.ts';
import type { UserInfo } from '../meta/index.ts';

/** Users that a server made up itself, each with a bearer token of its own. */
export class Users {
  readonly #byToken = new Map<string, Authentication>();
  readonly #tokens = new Map<string, string>();

  readonly authenticator: Authenticator = {
    authenticate: ({ bearerToken }) => this.#byToken.get(bearerToken),
  };

  /** A user with the group that everybody belongs to who is somebody. */
  add(asked: UserInfo): { readonly user: UserInfo; readonly token: string } {
    const user = authenticatedUser(asked);
    const id = JSON.stringify([user.name, user.uid, user.groups]);
    const token = this.#tokens.get(id) ?? randomBytes(24).toString('base64url');
    this.#tokens.set(id, token);
    this.#byToken.set(token, Object.freeze({ user }));
    return { user, token };
  }
}
