import {
  type Authentication,
  type Authenticator,
  BadCredentialsError,
  type Credentials,
} from '../auth/index.ts';
import type { ConsoleMemory } from './console-memory.ts';
import { type ConsoleAddress, cookieIn } from './session-cookie.ts';
import type { Session } from './sessions.ts';
import { judge } from './signed-in.ts';

/** A header that other origins cannot send without a CORS preflight. */
const consoleHeader = 'x-ilk-console';

interface SessionAuthenticatorParts {
  readonly memory: ConsoleMemory;
  readonly address: ConsoleAddress;
  /** Checks the credentials of sessions. */
  readonly signIn: () => Authenticator;
}

/**
 * Authenticates by session cookie. The cookie is only valid with the header `X-Ilk-Console: 1`: browsers send cookies
 * with requests of any page, but a page of another origin cannot set this header, because the server never allows it by
 * CORS.
 */
export class SessionAuthenticator implements Authenticator {
  readonly #parts: SessionAuthenticatorParts;

  constructor(parts: SessionAuthenticatorParts) {
    this.#parts = parts;
  }

  authenticate(
    credentials: Pick<Credentials, 'header'>,
  ): Authentication | undefined | Promise<Authentication | undefined> {
    if (!isOfConsole(credentials)) return undefined;
    const id = cookieIn(credentials.header('cookie'), this.#parts.address);
    if (id === undefined) return undefined;
    const session = this.#parts.memory.findSession(id);
    return session instanceof Promise ? session.then((one) => this.#judge(one)) : this.#judge(session);
  }

  #judge(session: Session | undefined): Authentication | Promise<Authentication> {
    if (session === undefined) throw new BadCredentialsError('the session of the console has ended');
    const found = judge(this.#parts.signIn(), session.proof);
    return found instanceof Promise ? found.then((one) => bounded(one, session)) : bounded(found, session);
  }

  onChange(listener: () => void): () => void {
    return this.#parts.memory.onChange(listener);
  }
}

/** Whether a script of the console sent a request; never true for an upgrade. */
export function isOfConsole(request: Pick<Credentials, 'header'>): boolean {
  const site = request.header('sec-fetch-site') ?? 'same-origin';
  return (
    request.header(consoleHeader) === '1' && site === 'same-origin' && request.header('upgrade') === undefined
  );
}

/** Watches end with the session, or with the credentials that opened it. */
function bounded(found: Authentication | undefined, { expiresAtMs }: Session): Authentication {
  if (found === undefined) throw new BadCredentialsError('the credentials of the session count no longer');
  return { ...found, expiresAtMs: Math.min(found.expiresAtMs ?? expiresAtMs, expiresAtMs) };
}
