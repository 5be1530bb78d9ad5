import { createHash, randomBytes } from 'node:crypto';
import { type Clock, limits, methodNotSupportedError } from '../meta/index.ts';
import type { ConsoleMemory } from './console-memory.ts';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import type { LoginProvider } from './login-provider.ts';
import { securityHeaders } from './security-headers.ts';
import { type ConsoleAddress, cookieIn, setCookie } from './session-cookie.ts';
import type { SessionOfBrowser } from './session-endpoint.ts';
import { digestOf } from './sessions.ts';
import type { WaitingLogin } from './waiting-logins.ts';

const loginPath = '/console/login';
const callbackPath = `${loginPath}/callback`;
const cookie = 'login';

interface LoginParts {
  readonly provider: LoginProvider;
  readonly address: ConsoleAddress;
  readonly clock: Clock;
  /** Opens a session with a token; undefined for an invalid token. */
  readonly open: (token: string) => Promise<SessionOfBrowser | undefined>;
  readonly memory: ConsoleMemory;
}

/** The reason of a failed login; the page shows a text for it. */
type Refusal = 'unreachable' | 'refused' | 'expired' | 'unknown';

/**
 * `/console/login` redirects a browser to the provider; `/console/login/callback` receives the code. A cookie ties a login to the
 * browser that began it, which prevents login CSRF.
 */
export class LoginEndpoint {
  readonly #parts: LoginParts;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  /** Undefined for other paths. @throws {StatusError} 405 */
  respond(request: ConsoleRequest): Promise<ConsoleResponse> | undefined {
    if (request.path !== loginPath && request.path !== callbackPath) return undefined;
    if (request.method !== 'GET')
      throw methodNotSupportedError({ group: 'ilk', resource: 'logins' }, request.method.toLowerCase());
    return request.path === loginPath ? this.#begin(request) : this.#end(request);
  }

  async #begin(request: ConsoleRequest): Promise<ConsoleResponse> {
    const { provider, address, clock, memory } = this.#parts;
    const [state, nonce, browser, verifier] = [random(), random(), random(), random()];
    const redirectUri = `${originOf(request, address)}${callbackPath}`;
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const to = pageIn(request.query.get('to') ?? '');
    const at = await provider.address({ redirectUri, state, nonce, challenge });
    if (at === undefined) return refused('unreachable', to);
    const expiresAtMs = clock.now() + limits.consoleCodeMs;
    const key = { state: digestOf(state), browser: digestOf(browser) };
    await memory.keepLogin({ ...key, redirectUri, nonce, verifier, to, expiresAtMs });
    // The provider redirects from another site: the browser would not send a Strict cookie.
    const own = setCookie(address, browser, {
      name: cookie,
      ageSeconds: limits.consoleCodeMs / 1000,
      site: 'Lax',
    });
    return redirect(at, [own]);
  }

  async #end(request: ConsoleRequest): Promise<ConsoleResponse> {
    const { address } = this.#parts;
    const { query } = request;
    const waiting = await this.#take(query.get('state') ?? '', request);
    const gone = setCookie(address, '', { name: cookie, ageSeconds: 0, site: 'Lax' });
    if (waiting === undefined) return refused('expired', pageIn(''), [gone]);
    const { to, redirectUri, nonce, verifier } = waiting;
    const code = query.get('code') ?? '';
    if (code === '') return refused('refused', to, [gone]);
    const token = await this.#parts.provider.redeem({ code, redirectUri, nonce, verifier });
    const opened = token === undefined ? undefined : await this.#parts.open(token);
    if (opened === undefined) return refused(token === undefined ? 'refused' : 'unknown', to, [gone]);
    return redirect(to, [gone, opened.cookie]);
  }

  /** Removes and returns the login of a state; undefined if another browser began it, or after its time. */
  async #take(state: string, request: ConsoleRequest): Promise<WaitingLogin | undefined> {
    const { address, memory } = this.#parts;
    const browser = cookieIn(request.header('cookie'), address, cookie) ?? '';
    return memory.takeLogin({ state: digestOf(state), browser: digestOf(browser) });
  }
}

function random(): string {
  return randomBytes(32).toString('base64url');
}

/** The origin as the browser sees it, which may be a proxy's. The provider only redirects to registered addresses. */
function originOf(request: ConsoleRequest, { url }: ConsoleAddress): string {
  const host = request.header('host') ?? '';
  return host === '' ? url : `${url.startsWith('https:') ? 'https' : 'http'}://${host}`;
}

/** A page of the console; the first page for any other text (no open redirects). */
function pageIn(text: string): string {
  return /^\/console\/[\x21-\x5b\x5d-\x7e]*$/.test(text) ? text : '/console/';
}

function refused(why: Refusal, to: string, cookies: readonly string[] = []): ConsoleResponse {
  return redirect(`${to.split('#')[0]}#login=${why}`, cookies);
}

function redirect(location: string, cookies: readonly string[]): ConsoleResponse {
  return {
    status: 303,
    headers: {
      ...securityHeaders,
      'cache-control': 'no-store',
      location,
      ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
    },
    body: new Uint8Array(),
  };
}
