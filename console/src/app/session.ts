import { signal } from '@preact/signals';
import { ApiError, messageOf } from '../api/api-error.ts';
import { getJson, send, whenSignedOut } from '../api/request.ts';

/** Whoever is in front of the page. */
export type SessionState =
  | { readonly phase: 'starting' }
  | { readonly phase: 'signed-out'; readonly note: string }
  | {
      readonly phase: 'signed-in';
      readonly user: string;
      readonly groups: readonly string[];
      readonly hasSession: boolean;
    };

export const session = signal<SessionState>({ phase: 'starting' });

/** What is shown belongs to this user; another one starts with an empty page. */
let lastUser = '';

interface Review {
  readonly status?: {
    readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] };
  };
}

/** Finds out who it is: by the link that the page was opened with, by the session, or by the connection itself. */
export async function startSession(): Promise<void> {
  whenSignedOut(() => {
    if (session.value.phase === 'signed-in')
      endSession('Your session has ended: the server was restarted, or the time is up.');
  });
  const code = codeIn(location.hash);
  if (code !== undefined) {
    // Nobody shall find it in the history of the browser.
    history.replaceState(null, '', location.pathname + location.search);
    const refusal = await signIn({ code });
    if (refusal !== undefined) endSession(refusal);
    return;
  }
  await recognise('');
}

/** Signs in with a token, or with a link. @returns why not */
export async function signInWith(text: string): Promise<string | undefined> {
  const code = codeIn(text);
  return signIn(code === undefined ? { token: text.trim() } : { code });
}

export async function signOut(): Promise<void> {
  await send('/console/session', { method: 'DELETE' });
  // Nothing of this user stays in the page.
  location.assign('/console/');
}

/** Looks whether somebody signed in elsewhere, as another tab shares the session. */
export async function recheckSession(): Promise<void> {
  if (session.value.phase === 'signed-out') await recognise(session.value.note);
}

/** Resolves once somebody is signed in. */
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

/** @returns why nobody is known */
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
