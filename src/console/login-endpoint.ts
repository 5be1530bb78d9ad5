import { createHash, randomBytes } from 'node:crypto';
import { type Clock, limits, methodNotSupportedError } from '../meta/index.ts';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import type { LoginProvider } from './login-provider.ts';
import { securityHeaders } from './security-headers.ts';
import { type ConsoleAddress, cookieIn, setCookie } from './session-cookie.ts';
import type { OpenedSession } from './session-endpoint.ts';
import { digestOf } from './sessions.ts';

const loginPath = '/console/login';
const callbackPath = `${loginPath}/callback`;
const cookie = 'login';

interface LoginParts {
  readonly provider: LoginProvider;
  readonly address: ConsoleAddress;
  readonly clock: Clock;
  /** Opens a session with a token; undefined for an invalid token. */
  readonly open: (token: string) => Promise<OpenedSession | undefined>;
}

/** A login that waits for the callback. */
interface Waiting {
  readonly browser: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page to open after the login. */
  readonly to: string;
  readonly expiresAtMs: number;
}

/** The reason of a failed login; the page shows a text for it. */
type Refusal = 'unreachable' | 'refused' | 'expired' | 'unknown';

/**
 * `/console/login` redirects a browser to the provider; `/console/login/callback` receives the code. A cookie ties a login to the
 * browser that began it, which prevents login CSRF.
 */
export class LoginEndpoint {
  readonly #parts: LoginParts;
  /** By the digest of the state, the oldest first. */
  readonly #waiting = new Map<string, Waiting>();

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
    const { provider, address, clock } = this.#parts;
    const [state, nonce, browser, verifier] = [random(), random(), random(), random()];
    const redirectUri = `${originOf(request, address)}${callbackPath}`;
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const to = pageIn(request.query.get('to') ?? '');
    const at = await provider.address({ redirectUri, state, nonce, challenge });
    if (at === undefined) return refused('unreachable', to);
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= limits.consoleCodesMax) this.#waiting.delete(oldest);
    const expiresAtMs = clock.now() + limits.consoleCodeMs;
    const waiting = { browser: digestOf(browser), redirectUri, nonce, verifier, to, expiresAtMs };
    this.#waiting.set(digestOf(state), waiting);
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
    const waiting = this.#take(query.get('state') ?? '', request);
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
  #take(state: string, request: ConsoleRequest): Waiting | undefined {
    const digest = digestOf(state);
    const waiting = this.#waiting.get(digest);
    const browser = cookieIn(request.header('cookie'), this.#parts.address, cookie) ?? '';
    if (waiting === undefined || waiting.browser !== digestOf(browser)) return undefined;
    this.#waiting.delete(digest);
    return waiting.expiresAtMs > this.#parts.clock.now() ? waiting : undefined;
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
