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
import { PageFiles } from './page-files.ts';
import { SessionAuthenticator } from './session-authenticator.ts';
import type { ConsoleAddress } from './session-cookie.ts';
import { judged, noCredentials, SessionEndpoint } from './session-endpoint.ts';
import { Sessions, type SignedIn } from './sessions.ts';
import { SignInCodes } from './sign-in-codes.ts';

interface ConsoleParts {
  readonly clock: Clock;
  readonly address: ConsoleAddress;
  /** Where the build put the pages. */
  readonly folder: URL;
}

const codesPath = '/ilk/v1/console/codes';

/** The web console: its pages, and the ways to sign in. It knows no objects: its pages ask the API as any client does. */
export class Console {
  readonly #parts: ConsoleParts;
  readonly #sessions: Sessions;
  readonly #codes: SignInCodes;
  readonly #files: PageFiles;
  /** Finds the users of sessions; stands before all others, as a session is what its user asked for last. */
  readonly authenticator: Authenticator;
  readonly activity = new Activity();

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#sessions = new Sessions(parts.clock);
    this.#codes = new SignInCodes(parts.clock);
    this.#files = new PageFiles(parts.folder);
    this.authenticator = new SessionAuthenticator(this.#sessions, parts.address);
  }

  /** A link that signs a user in, once. */
  linkFor(user: UserInfo): string {
    const authentication = Object.freeze({ user });
    return this.#link({ userName: user.name, judge: () => authentication }).url;
  }

  /**
   * Answers requests for pages and sessions, which need no user; undefined for all others, at once.
   *
   * @param authenticator judges what people sign in with
   */
  pages(authenticator: Authenticator): (request: ConsoleRequest) => Promise<ConsoleResponse> | undefined {
    const { clock, address } = this.#parts;
    const sessions = new SessionEndpoint({
      sessions: this.#sessions,
      codes: this.#codes,
      authenticator,
      address,
      clock,
    });
    return (request) => {
      if (!request.path.startsWith('/console')) return undefined;
      if (request.path === '/console/session') return sessions.respond(request);
      const isPage = request.path === '/console' || request.path.startsWith('/console/');
      return isPage ? this.#files.respond(request) : undefined;
    };
  }

  /**
   * Answers `POST /ilk/v1/console/codes` with a link that signs in whoever asks, with the token or the certificate of the
   * request; undefined for other paths. For whoever may use the path.
   *
   * @throws {StatusError} 400 for a request that has neither, 405
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
    // An impersonated user, or one that a proxy speaks for, has no credentials that could be judged again.
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
    // Browsers keep what follows the # to themselves: no log has the code.
    return { url: `${this.#parts.address.url}/console/#code=${code}`, expiresAtMs };
  }
}
