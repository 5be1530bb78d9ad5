import type { Authenticator } from '../auth/index.ts';
import { DecodeError, decodeJson, encodeJson } from '../codec/index.ts';
import {
  badRequestError,
  type Clock,
  formatTime,
  isObject,
  type JsonObject,
  methodNotSupportedError,
  ownString,
  StatusError,
  unauthorizedError,
  unavailableError,
} from '../meta/index.ts';
import type { ConsoleMemory } from './console-memory.ts';
import type { ConsoleRequest, ConsoleResponse } from './console-request.ts';
import { securityHeaders } from './security-headers.ts';
import { isOfConsole } from './session-authenticator.ts';
import { type ConsoleAddress, cookieIn, setCookie } from './session-cookie.ts';
import type { Session } from './sessions.ts';
import { judge, type SignedIn } from './signed-in.ts';

/** The dependencies of the endpoint. */
interface SessionEndpointParts {
  readonly memory: ConsoleMemory;
  /** Authenticates tokens and certificates like those of any request. */
  readonly authenticator: Authenticator;
  readonly address: ConsoleAddress;
  readonly clock: Clock;
  /** The OpenID Connect login; undefined if it is disabled. */
  readonly loginAt: string | undefined;
}

/** A session, and the header that gives it to a browser. */
export interface SessionOfBrowser {
  readonly session: Session;
  readonly cookie: string;
}

const resource = { group: 'ilk', resource: 'sessions' };

/**
 * `/console/session`: POST signs in with `{"code": "..."}` or `{"token": "..."}`, GET returns the session of the
 * cookie, DELETE signs out. Only for scripts of the console, so that other pages cannot sign anybody in or out.
 */
export class SessionEndpoint {
  readonly #parts: SessionEndpointParts;

  constructor(parts: SessionEndpointParts) {
    this.#parts = parts;
  }

  /** @throws {StatusError} 400, 401, 403, 405, 503 */
  async respond(request: ConsoleRequest): Promise<ConsoleResponse> {
    if (!isOfConsole(request)) throw notOfConsole();
    switch (request.method) {
      case 'POST':
        return this.#signIn(request);
      case 'GET':
        return this.#show(request);
      case 'DELETE':
        return this.#signOut(request);
      default:
        throw methodNotSupportedError(resource, request.method.toLowerCase());
    }
  }

  async #signIn(request: ConsoleRequest): Promise<ConsoleResponse> {
    const asked = await readAsked(request);
    const code = ownString(asked, 'code') ?? '';
    const token = ownString(asked, 'token') ?? '';
    if ((code === '') === (token === '')) throw badRequestError('say either "code" or "token"');
    const signedIn = code === '' ? await this.#byToken(token) : await this.#parts.memory.takeCode(code);
    if (signedIn === undefined) throw unauthorizedError(code === '' ? tokenRefusal : codeRefusal);
    const { session, cookie } = await this.#open(signedIn);
    const value = { user: session.userName, expires: formatTime(session.expiresAtMs) };
    return json(201, value, { 'set-cookie': cookie });
  }

  /** Opens a session with a token; undefined where the token counts for nothing. @throws {StatusError} 503 */
  async open(token: string): Promise<SessionOfBrowser | undefined> {
    const signedIn = await this.#byToken(token);
    return signedIn && this.#open(signedIn);
  }

  async #open(signedIn: SignedIn): Promise<SessionOfBrowser> {
    const opened = await this.#parts.memory.openSession(signedIn);
    if (opened === undefined) throw unavailableError('too many people are signed in to the console');
    const { id, session } = opened;
    const ageSeconds = Math.floor((session.expiresAtMs - this.#parts.clock.now()) / 1000);
    return { session, cookie: setCookie(this.#parts.address, id, { ageSeconds }) };
  }

  async #show(request: ConsoleRequest): Promise<ConsoleResponse> {
    const session = await this.#parts.memory.findSession(this.#idOf(request));
    const { loginAt } = this.#parts;
    return json(200, {
      ...(session && { user: session.userName, expires: formatTime(session.expiresAtMs) }),
      ...(loginAt !== undefined && { login: loginAt }),
    });
  }

  async #signOut(request: ConsoleRequest): Promise<ConsoleResponse> {
    await this.#parts.memory.closeSession(this.#idOf(request));
    return json(200, {}, { 'set-cookie': setCookie(this.#parts.address, '', { ageSeconds: 0 }) });
  }

  #idOf(request: ConsoleRequest): string {
    return cookieIn(request.header('cookie'), this.#parts.address) ?? '';
  }

  async #byToken(bearerToken: string): Promise<SignedIn | undefined> {
    const proof = { bearerToken, certificate: undefined };
    const found = await judge(this.#parts.authenticator, proof);
    return found && { userName: found.user.name, proof };
  }
}

const tokenRefusal = 'the server does not know this token, or it has expired';
const codeRefusal = 'this link was used already, or it has expired: `ilk console` prints a new one';

async function readAsked(request: ConsoleRequest): Promise<JsonObject> {
  try {
    const { value } = decodeJson(await request.body());
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  throw badRequestError('the body is not a JSON object');
}

function notOfConsole(): StatusError {
  const message = 'only the console may ask for this: the header X-Ilk-Console is missing';
  return new StatusError({ code: 403, reason: 'Forbidden', message });
}

function json(status: number, value: JsonObject, headers: Record<string, string> = {}): ConsoleResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...securityHeaders,
      ...headers,
    },
    body: encodeJson(value),
  };
}
