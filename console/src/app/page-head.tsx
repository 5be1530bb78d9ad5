import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageHeadProps {
  readonly title: string;
  /** Links to the pages above this one. */
  readonly trail?: ComponentChildren;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  /** What can be done here. */
  readonly children?: ComponentChildren;
}

/** The head of a page; its title is also the browser's. */
export function PageHead({ title, trail, aside, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Ilk`;
  }, [title]);
  return (
    <header class="page-head">
      <div class="page-title">
        {trail !== undefined && <nav aria-label="Where you are">{trail}</nav>}
        <h1 dir="auto">{title}</h1>
        {aside}
      </div>
      <div class="page-tools">{children}</div>
    </header>
  );
}
