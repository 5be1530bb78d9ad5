import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { type Page, type PageProps, pages } from './pages.ts';
import { PageHead } from './page-head.tsx';
import { href, match, place } from './router.ts';
import { session } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

/** The whole page. Later sign-ins happen in a dialog over the current page. */
export function App() {
  const { phase } = session.value;
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (phase === 'signed-in') setSeen(true);
  }, [phase]);
  if (phase === 'starting') return <div class="starting" role="status" aria-label="Loading" />;
  return (
    <>
      {(seen || phase === 'signed-in') && (
        <Shell inert={phase !== 'signed-in'}>
          <CurrentPage />
        </Shell>
      )}
      {session.value.phase === 'signed-out' && <SignIn note={session.value.note} isAgain={seen} />}
    </>
  );
}

function CurrentPage() {
  const { path } = place.value;
  for (const page of pages) {
    const parameters = match(page.pattern, path);
    if (parameters !== undefined) return <LoadedPage key={path} page={page} parameters={parameters} />;
  }
  return (
    <>
      <PageHead title="Not found" />
      <EmptyState title="There is no such page">
        <p>
          <a href={href('/')}>All kinds</a>
        </p>
      </EmptyState>
    </>
  );
}

type Loaded = { readonly Component: ComponentType<PageProps> } | { readonly error: unknown } | undefined;

function LoadedPage({ page, parameters }: PageProps & { readonly page: Page }) {
  const [loaded, setLoaded] = useState<Loaded>(() => {
    const component = page.load();
    return component instanceof Promise ? undefined : { Component: component };
  });
  useEffect(() => {
    if (loaded !== undefined) return;
    Promise.resolve(page.load()).then(
      (Component) => setLoaded({ Component }),
      (error: unknown) => setLoaded({ error }),
    );
  }, [page, loaded]);
  if (loaded === undefined) return <div class="starting" role="status" aria-label="Loading" />;
  if ('error' in loaded) {
    return (
      <ErrorNotice
        title="This page cannot be loaded. Load it again, as the server may have been updated."
        error={loaded.error}
      />
    );
  }
  return <loaded.Component parameters={parameters} />;
}
