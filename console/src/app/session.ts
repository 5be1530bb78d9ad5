import { signal } from '@preact/signals';
import { ApiError, messageOf } from '../api/api-error.ts';
import { getJson, send, whenSignedOut } from '../api/request.ts';

/** The signed-in user. */
type SessionState =
  | { readonly phase: 'starting' }
  | { readonly phase: 'signed-out'; readonly note: string }
  | {
      readonly phase: 'signed-in';
      readonly user: string;
      readonly groups: readonly string[];
      readonly hasSession: boolean;
    };

export const session = signal<SessionState>({ phase: 'starting' });

/** The displayed data belongs to this user; another one starts with an empty page. */
let lastUser = '';

interface Review {
  readonly status?: {
    readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] };
  };
}

/** Determines the user: by the sign-in link, the session, or the connection itself. */
export async function startSession(): Promise<void> {
  whenSignedOut(() => {
    if (session.value.phase === 'signed-in')
      endSession('Your session has ended: the server was restarted, or the time is up.');
  });
  // A link that is pasted into an open page changes the hash alone.
  addEventListener('hashchange', () => void signInByHash());
  if (!(await signInByHash())) await recognise(loginNote());
}

/** Signs in with the code of the URL. @returns whether it has one */
async function signInByHash(): Promise<boolean> {
  const code = codeIn(location.hash);
  if (code === undefined) return false;
  clearHash();
  const refusal = await signIn({ code });
  if (refusal !== undefined) endSession(refusal);
  return true;
}

/** Why the issuer's response did not sign the user in. Other sites can link to these texts, and to no others. */
const loginRefusals: ReadonlyMap<string, string> = new Map([
  ['unreachable', 'The issuer cannot be reached. The reason is in the log of the server.'],
  ['refused', 'The issuer did not sign you in.'],
  ['expired', 'This took too long, or began in another browser. Try again.'],
  ['unknown', 'The issuer signed you in, but this server does not accept its token.'],
]);

function loginNote(): string {
  const note = loginRefusals.get(/^#login=(\w+)$/.exec(location.hash)?.[1] ?? '');
  if (note !== undefined) clearHash();
  return note ?? '';
}

/** Removes the code from the browser history. */
function clearHash(): void {
  history.replaceState(null, '', location.pathname + location.search);
}

/** Signs in with a token or a link. @returns the error, if any */
export async function signInWith(text: string): Promise<string | undefined> {
  const code = codeIn(text);
  return signIn(code === undefined ? { token: text.trim() } : { code });
}

export async function signOut(): Promise<void> {
  await send('/console/session', { method: 'DELETE' });
  // Discards all data of this user.
  location.assign('/console/');
}

/** Checks whether the user signed in elsewhere: tabs share the session. */
export async function recheckSession(): Promise<void> {
  if (session.value.phase === 'signed-out') await recognise(session.value.note);
}

/** Resolves once a user is signed in. */
export function signedIn(abort: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      end();
      resolve();
    };
    abort.addEventListener('abort', () => queueMicrotask(done));
    const end = session.subscribe(({ phase }) => {
      if (phase === 'signed-in') queueMicrotask(done);
    });
  });
}

async function signIn(
  body: { readonly code: string } | { readonly token: string },
): Promise<string | undefined> {
  try {
    await send('/console/session', { method: 'POST', body: JSON.stringify(body) });
  } catch (error) {
    return messageOf(error);
  }
  return recognise('');
}

/** @returns why there is no user */
async function recognise(note: string): Promise<string | undefined> {
  try {
    const review = await getJson<Review>('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      method: 'POST',
      body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
    });
    const { username = '', groups = [] } = review.status?.userInfo ?? {};
    if (username === 'system:anonymous') return endSession(note);
    const { user } = await getJson<{ user?: string }>('/console/session');
    if (lastUser !== '' && lastUser !== username) location.reload();
    lastUser = username;
    session.value = { phase: 'signed-in', user: username, groups, hasSession: user !== undefined };
    return undefined;
  } catch (error) {
    const isUnknown = error instanceof ApiError && (error.code === 401 || error.code === 403);
    return endSession(isUnknown ? note : messageOf(error));
  }
}

function endSession(note: string): string {
  session.value = { phase: 'signed-out', note };
  return note;
}

function codeIn(text: string): string | undefined {
  return /#code=([\w-]+)/.exec(text)?.[1];
}
