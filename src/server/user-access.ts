import { X509Certificate } from 'node:crypto';
import { type KubeconfigUser, kubeconfigText, makeClientPair } from '../auth/index.ts';
import { type Handler, type InProcessFetch, inProcessFetch } from '../http/index.ts';
import type { UserInfo } from '../meta/index.ts';
import type { AddedUser, UserAccess } from './ilk-server.ts';
import { KubeconfigFile } from './kubeconfig-file.ts';
import type { ServerListener } from './listener.ts';
import type { Users } from './users.ts';

const dayMs = 24 * 60 * 60 * 1000;

interface UserClientsParts {
  readonly handler: Handler;
  readonly listener: ServerListener;
  readonly users: Users;
}

type AskedUser = { readonly name: string; readonly groups?: readonly string[] };

/** Gives access to users other than the administrator. */
export class UserClients {
  readonly #parts: UserClientsParts;
  readonly #files = new Set<KubeconfigFile>();

  constructor(parts: UserClientsParts) {
    this.#parts = parts;
  }

  /** A user without credentials inside this process, or the user of a token. */
  as(asked: AskedUser | { readonly token: string }): UserAccess {
    const { handler, users } = this.#parts;
    if ('token' in asked) return this.#tokenAccess(asked.token);
    const { user, token } = users.add({ name: asked.name, groups: asked.groups ?? [] });
    return { fetch: inProcessFetch(handler, user), kubeconfig: this.#kubeconfig({ token }) };
  }

  /** A user with credentials of its own, which can be revoked. */
  async add({ name, groups = [] }: AskedUser): Promise<AddedUser> {
    const { users } = this.#parts;
    const { token } = users.addRemovable({ name, groups });
    const pair = await this.#clientPair({ name, groups });
    const kubeconfig = this.#kubeconfig(pair ?? { token });
    const file = new KubeconfigFile(kubeconfig);
    this.#files.add(file);
    return {
      fetch: this.#tokenAccess(token).fetch,
      kubeconfig,
      get kubeconfigPath() {
        return file.path;
      },
      remove: () => {
        users.remove(token, pair && fingerprintOf(pair.certPem));
        file.remove();
        this.#files.delete(file);
      },
    };
  }

  close(): void {
    for (const file of this.#files) file.remove();
  }

  #tokenAccess(token: string): UserAccess {
    const fetch = withToken(inProcessFetch(this.#parts.handler), token);
    return { fetch, kubeconfig: this.#kubeconfig({ token }) };
  }

  async #clientPair({ name, groups }: UserInfo) {
    const authority = this.#parts.listener.certificates?.ca;
    return authority && makeClientPair(authority, { name, groups, nowMs: Date.now(), lifetimeMs: dayMs });
  }

  #kubeconfig(user: KubeconfigUser): string {
    const { url, caPem } = this.#parts.listener;
    return url === '' ? '' : kubeconfigText({ server: url, caPem, user });
  }
}

function withToken(fetch: InProcessFetch, token: string): InProcessFetch {
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(path, { ...init, headers });
  };
}

function fingerprintOf(certPem: string): string {
  return new X509Certificate(certPem).fingerprint256.replaceAll(':', '').toLowerCase();
}
