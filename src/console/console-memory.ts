import type { Clock } from '../meta/index.ts';
import { type OpenedSession, type Session, Sessions } from './sessions.ts';
import { type IssuedCode, SignInCodes } from './sign-in-codes.ts';
import type { SignedIn } from './signed-in.ts';
import { type LoginKey, type WaitingLogin, WaitingLogins } from './waiting-logins.ts';

type Awaitable<T> = T | Promise<T>;

/**
 * What the console remembers between requests. It holds plain data, so that the threads of a server can use the memory of
 * one of them.
 */
export interface ConsoleMemory {
  /** Undefined if all users together have reached their limit. */
  openSession(signedIn: SignedIn): Awaitable<OpenedSession | undefined>;
  /** Undefined if the session is unknown, closed or expired. */
  findSession(id: string): Awaitable<Session | undefined>;
  closeSession(id: string): Awaitable<void>;
  /** Calls back when a session is closed. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  issueCode(signedIn: SignedIn): Awaitable<IssuedCode>;
  /** Undefined if the code is unknown, used or expired. */
  takeCode(code: string): Awaitable<SignedIn | undefined>;
  keepLogin(login: WaitingLogin): Awaitable<void>;
  /** Undefined if the login is unknown, over or expired, or if another browser began it. */
  takeLogin(key: LoginKey): Awaitable<WaitingLogin | undefined>;
}

/** The memory of a console, which ends with the server. */
export function consoleMemory(clock: Clock): ConsoleMemory {
  const sessions = new Sessions(clock);
  const codes = new SignInCodes(clock);
  const logins = new WaitingLogins(clock);
  return {
    openSession: (signedIn) => sessions.open(signedIn),
    findSession: (id) => sessions.find(id),
    closeSession: (id) => sessions.close(id),
    onChange: (listener) => sessions.onChange(listener),
    issueCode: (signedIn) => codes.issue(signedIn),
    takeCode: (code) => codes.take(code),
    keepLogin: (login) => logins.keep(login),
    takeLogin: (key) => logins.take(key),
  };
}
