import type { Authenticator } from '../auth/index.ts';
import { encodeJson } from '../codec/index.ts';
import {
  badRequestError,
  type Clock,
  formatTime,
  invariant,
  methodNotSupportedError,
  type UserInfo,
} from '../meta/index.ts';
import { Activity, type GatherRecent } from './activity.ts';
import { type ConsoleMemory, consoleMemory } from './console-memory.ts';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import { LoginEndpoint } from './login-endpoint.ts';
import type { LoginProvider } from './login-provider.ts';
import { PageFiles } from './page-files.ts';
import { SessionAuthenticator } from './session-authenticator.ts';
import type { ConsoleAddress } from './session-cookie.ts';
import { SessionEndpoint } from './session-endpoint.ts';
import type { IssuedCode } from './sign-in-codes.ts';
import { judge } from './signed-in.ts';

interface ConsoleParts {
  readonly clock: Clock;
  readonly address: ConsoleAddress;
  /** The output folder of the console's build. */
  readonly folder: URL;
  /** Where else people sign in. */
  readonly provider: LoginProvider | undefined;
  /** Chooses between a memory of this thread, which it can make, and that of another one; by default its own. */
  readonly memory?: ((own: () => ConsoleMemory) => ConsoleMemory) | undefined;
  /** Reads what other threads keep, too; by default there are none. */
  readonly gather?: GatherRecent | undefined;
}

const codesPath = '/ilk/v1/console/codes';

/** The web console: its pages and sign-in. It does not read objects: the pages call the API like any client. */
export class Console {
  readonly #parts: ConsoleParts;
  readonly #memory: ConsoleMemory;
  readonly #files: PageFiles;
  #signIn: Authenticator | undefined;
  /** Authenticates by session; it precedes all other authenticators, because the session was opened last. */
  readonly authenticator: Authenticator;
  readonly activity: Activity;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    const { clock, address, gather } = parts;
    const own = () => consoleMemory(clock);
    this.#memory = parts.memory?.(own) ?? own();
    const memory = this.#memory;
    this.#files = new PageFiles(parts.folder);
    this.activity = new Activity(clock, gather);
    this.authenticator = new SessionAuthenticator({ memory, address, signIn: () => this.#checked() });
  }

  /** A single-use sign-in link. Only for a console with a memory of its own. */
  linkFor(user: UserInfo): string {
    const issued = this.#memory.issueCode({ userName: user.name, proof: { user } });
    invariant(!(issued instanceof Promise), 'links are made where the memory of the console is');
    return this.#urlOf(issued);
  }

  /** The authenticator of sign-ins, which is made of this one's parts. */
  useSignIn(authenticator: Authenticator): void {
    this.#signIn = authenticator;
  }

  #checked(): Authenticator {
    invariant(this.#signIn !== undefined, 'a console knows how people sign in once it serves');
    return this.#signIn;
  }

  /**
   * Serves pages and sessions, which need no user; undefined immediately for all other paths.
   */
  pages(): (request: ConsoleRequest) => Promise<ConsoleResponse> | undefined {
    const { clock, address, provider } = this.#parts;
    const memory = this.#memory;
    const sessions = new SessionEndpoint({
      memory,
      authenticator: this.#checked(),
      address,
      clock,
      loginAt: provider?.name,
    });
    const open = (token: string) => sessions.open(token);
    const login = provider && new LoginEndpoint({ provider, address, clock, open, memory });
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
  codes(): (request: ConsoleRequest, user: UserInfo) => Promise<ConsoleResponse> | undefined {
    return (request, user) => (request.path === codesPath ? this.#issue(request, user) : undefined);
  }

  async #issue(request: ConsoleRequest, user: UserInfo): Promise<ConsoleResponse> {
    if (request.method !== 'POST') {
      throw methodNotSupportedError({ group: 'ilk', resource: 'console' }, request.method.toLowerCase());
    }
    const bearerToken = /^bearer (.+)$/i.exec(request.header('authorization') ?? '')?.[1]?.trim() ?? '';
    const proof = { bearerToken, certificate: request.certificate };
    const found = await judge(this.#checked(), proof);
    // Impersonated and proxied users have no credentials that could be checked again.
    if (found === undefined || found.user.name !== user.name) {
      throw badRequestError(
        'a link is made for the owner of a token or a client certificate, and this request has none',
      );
    }
    const issued = await this.#memory.issueCode({ userName: user.name, proof });
    const expires = formatTime(issued.expiresAtMs);
    const value = { kind: 'ConsoleLink', apiVersion: 'ilk/v1', url: this.#urlOf(issued), expires };
    return {
      status: 201,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: encodeJson(value),
    };
  }

  /** Browsers do not send the fragment, so that no log contains the code. */
  #urlOf({ code }: IssuedCode): string {
    return `${this.#parts.address.url}/console/#code=${code}`;
  }
}
