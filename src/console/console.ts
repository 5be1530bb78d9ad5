import type { Authenticator } from '../auth/index.ts';
import { encodeJson } from '../codec/index.ts';
import {
  badRequestError,
  type Clock,
  formatTime,
  methodNotSupportedError,
  type UserInfo,
} from '../meta/index.ts';
import { Activity } from './activity.ts';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import { LoginEndpoint } from './login-endpoint.ts';
import type { LoginProvider } from './login-provider.ts';
import { PageFiles } from './page-files.ts';
import { SessionAuthenticator } from './session-authenticator.ts';
import type { ConsoleAddress } from './session-cookie.ts';
import { judged, noCredentials, SessionEndpoint } from './session-endpoint.ts';
import { Sessions, type SignedIn } from './sessions.ts';
import { SignInCodes } from './sign-in-codes.ts';

interface ConsoleParts {
  readonly clock: Clock;
  readonly address: ConsoleAddress;
  /** The output folder of the console's build. */
  readonly folder: URL;
  /** Where else people sign in. */
  readonly provider: LoginProvider | undefined;
}

const codesPath = '/ilk/v1/console/codes';

/** The web console: its pages and sign-in. It does not read objects: the pages call the API like any client. */
export class Console {
  readonly #parts: ConsoleParts;
  readonly #sessions: Sessions;
  readonly #codes: SignInCodes;
  readonly #files: PageFiles;
  /** Authenticates by session; it precedes all other authenticators, because the session was opened last. */
  readonly authenticator: Authenticator;
  readonly activity = new Activity();

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#sessions = new Sessions(parts.clock);
    this.#codes = new SignInCodes(parts.clock);
    this.#files = new PageFiles(parts.folder);
    this.authenticator = new SessionAuthenticator(this.#sessions, parts.address);
  }

  /** A single-use sign-in link. */
  linkFor(user: UserInfo): string {
    const authentication = Object.freeze({ user });
    return this.#link({ userName: user.name, judge: () => authentication }).url;
  }

  /**
   * Serves pages and sessions, which need no user; undefined immediately for all other paths.
   *
   * @param authenticator checks the credentials of a sign-in
   */
  pages(authenticator: Authenticator): (request: ConsoleRequest) => Promise<ConsoleResponse> | undefined {
    const { clock, address, provider } = this.#parts;
    const sessions = new SessionEndpoint({
      sessions: this.#sessions,
      codes: this.#codes,
      authenticator,
      address,
      clock,
      loginAt: provider?.name,
    });
    const open = (token: string) => sessions.open(token);
    const login = provider && new LoginEndpoint({ provider, address, clock, open });
    return (request) => {
      if (!request.path.startsWith('/console')) return undefined;
      if (request.path === '/console/session') return sessions.respond(request);
      const isPage = request.path === '/console' || request.path.startsWith('/console/');
      return isPage ? (login?.respond(request) ?? this.#files.respond(request)) : undefined;
    };
  }

  /**
   * Serves `POST /ilk/v1/console/codes` with a link that signs in the caller, with the token or certificate of the
   * request; undefined for other paths. Access to the path is authorized.
   *
   * @throws {StatusError} 400 for a request without either, 405
   */
  codes(
    authenticator: Authenticator,
  ): (request: ConsoleRequest, user: UserInfo) => Promise<ConsoleResponse> | undefined {
    return (request, user) =>
      request.path === codesPath ? this.#issue(authenticator, request, user) : undefined;
  }

  async #issue(
    authenticator: Authenticator,
    request: ConsoleRequest,
    user: UserInfo,
  ): Promise<ConsoleResponse> {
    if (request.method !== 'POST') {
      throw methodNotSupportedError({ group: 'ilk', resource: 'console' }, request.method.toLowerCase());
    }
    const bearerToken = /^bearer (.+)$/i.exec(request.header('authorization') ?? '')?.[1]?.trim() ?? '';
    const credentials = { ...noCredentials, bearerToken, certificate: request.certificate };
    const judge = () => judged(authenticator, credentials);
    const found = await judge();
    // Impersonated and proxied users have no credentials that could be checked again.
    if (found === undefined || found.user.name !== user.name) {
      throw badRequestError(
        'a link is made for the owner of a token or a client certificate, and this request has none',
      );
    }
    const { url, expiresAtMs } = this.#link({ userName: user.name, judge });
    const value = { kind: 'ConsoleLink', apiVersion: 'ilk/v1', url, expires: formatTime(expiresAtMs) };
    return {
      status: 201,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: encodeJson(value),
    };
  }

  #link(signedIn: SignedIn): { readonly url: string; readonly expiresAtMs: number } {
    const { code, expiresAtMs } = this.#codes.issue(signedIn);
    // Browsers do not send the fragment, so that no log contains the code.
    return { url: `${this.#parts.address.url}/console/#code=${code}`, expiresAtMs };
  }
}
