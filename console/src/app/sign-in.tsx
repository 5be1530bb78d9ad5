import { useEffect, useRef, useState } from 'preact/hooks';
import { getJson } from '../api/request.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { recheckSession, signInWith } from './session.ts';

interface SignInProps {
  /** Why a sign-in is needed. */
  readonly note: string;
  /** Whether a page is behind it, which goes on afterwards. */
  readonly isAgain: boolean;
}

/** Asks who it is. */
export function SignIn({ note, isAgain }: SignInProps) {
  const [refusal, setRefusal] = useState('');
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    // Another tab may have signed in meanwhile: they share the session.
    const onFocus = () => void recheckSession();
    addEventListener('focus', onFocus);
    return () => removeEventListener('focus', onFocus);
  }, []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const text = input.current?.value ?? '';
    if (text.trim() === '') return;
    setBusy(true);
    setRefusal((await signInWith(text)) ?? '');
    setBusy(false);
  };
  const said = refusal === '' ? note : refusal;
  const issuer = useAnswer(
    async (signal) => (await getJson<{ login?: string }>('/console/session', { signal })).login,
    [],
  ).value;
  return (
    <div class={`sign-in${isAgain ? ' again' : ''}`}>
      <main class="sign-in-box">
        <h1>{isAgain ? 'Sign in again' : 'Sign in to Ilk'}</h1>
        {said !== '' && (
          <p class={refusal === '' ? 'notice' : 'notice bad'} role="alert">
            {said}
          </p>
        )}
        {issuer !== undefined && <IssuerLink issuer={issuer} />}
        <form onSubmit={(event) => void submit(event)}>
          <label for="secret">Token, or link</label>
          <input
            ref={input}
            id="secret"
            name="secret"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
          />
          <button type="submit" class={issuer === undefined ? 'button primary' : 'button'} disabled={isBusy}>
            Sign in
          </button>
        </form>
        <p class="muted">With the kubeconfig of any user, this prints a link that works once:</p>
        <CopyLine text="ilk console" label="Copy the command" />
        <p class="muted">
          The administrator’s link is also in what <code>ilk serve</code> prints. The console has no rights of
          its own: it shows what you may see.
        </p>
      </main>
    </div>
  );
}

function IssuerLink({ issuer }: { readonly issuer: string }) {
  return (
    <>
      {/* With a target, the link leaves the page instead of being routed in it. */}
      <a
        class="button primary"
        target="_self"
        href={`/console/login?${new URLSearchParams({ to: location.pathname + location.search })}`}
      >
        Sign in at {issuer}
      </a>
      <p class="muted">Or with a token:</p>
    </>
  );
}
