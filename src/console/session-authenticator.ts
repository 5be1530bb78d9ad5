import {
  type Authentication,
  type Authenticator,
  BadCredentialsError,
  type Credentials,
} from '../auth/index.ts';
import { type ConsoleAddress, sessionIdIn } from './session-cookie.ts';
import type { Session, Sessions } from './sessions.ts';

/** What only scripts of the console's own origin can send without asking the server first. */
const consoleHeader = 'x-ilk-console';

/**
 * The user of a session. Its cookie counts only beside the header `X-Ilk-Console: 1`: a browser sends cookies with what any
 * page asks for, and a page of another origin cannot set that header, as this server never allows it (CORS).
 */
export class SessionAuthenticator implements Authenticator {
  readonly #sessions: Sessions;
  readonly #address: ConsoleAddress;

  constructor(sessions: Sessions, address: ConsoleAddress) {
    this.#sessions = sessions;
    this.#address = address;
  }

  authenticate(
    credentials: Pick<Credentials, 'header'>,
  ): Authentication | undefined | Promise<Authentication | undefined> {
    if (!isOfConsole(credentials)) return undefined;
    const id = sessionIdIn(credentials.header('cookie'), this.#address);
    if (id === undefined) return undefined;
    const session = this.#sessions.find(id);
    if (session === undefined) throw new BadCredentialsError('the session of the console has ended');
    const found = session.judge();
    return found instanceof Promise ? found.then((one) => bounded(one, session)) : bounded(found, session);
  }

  onChange(listener: () => void): () => void {
    return this.#sessions.onChange(listener);
  }
}

/** Whether a script of the console sent a request; never true for one that asks for an upgrade. */
export function isOfConsole(request: Pick<Credentials, 'header'>): boolean {
  const site = request.header('sec-fetch-site') ?? 'same-origin';
  return (
    request.header(consoleHeader) === '1' && site === 'same-origin' && request.header('upgrade') === undefined
  );
}

/** Watches end with the session, or with the credentials that it was opened with. */
function bounded(found: Authentication | undefined, { expiresAtMs }: Session): Authentication {
  if (found === undefined) throw new BadCredentialsError('the credentials of the session count no longer');
  return { ...found, expiresAtMs: Math.min(found.expiresAtMs ?? expiresAtMs, expiresAtMs) };
}
