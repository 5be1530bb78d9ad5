import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { followKinds } from '../kinds/kind-store.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useWhileShown } from '../parts/use-while-shown.ts';
import { pages } from './pages.ts';
import { followLinks, href, place } from './router.ts';
import { session, signOut } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { nextTheme, type Theme, theme } from './theme.ts';

interface ShellProps {
  /** True while a sign-in dialog is open over it. */
  readonly inert: boolean;
  readonly children: ComponentChildren;
}

/** What is around every page: links, the user, the theme. */
export function Shell({ inert, children }: ShellProps) {
  const [isOpen, setOpen] = useState(false);
  const { path } = place.value;
  useWhileShown(followKinds, []);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    document.addEventListener('click', followLinks);
    return () => document.removeEventListener('click', followLinks);
  }, []);
  return (
    <div class="shell" inert={inert}>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="rail">
        <div class="bar">
          <button
            type="button"
            class="button icon-only menu"
            aria-expanded={isOpen}
            aria-controls="links"
            aria-label="Menu"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="menu" />
          </button>
          <a class="brand" href={href('/')}>
            Ilk
          </a>
        </div>
        <nav id="links" class={`side${isOpen ? ' open' : ''}`} aria-label="Pages">
          <ul>
            {pages.map(({ pattern, link }) =>
              link === undefined ? null : (
                <li key={pattern}>
                  <a href={href(pattern)} aria-current={path === pattern ? 'page' : undefined}>
                    <Icon name={link.icon} /> {link.label}
                  </a>
                </li>
              ),
            )}
          </ul>
          <div class="side-end">
            <ThemeButton />
            <User />
          </div>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Shortcuts />
    </div>
  );
}

const themeLooks: Readonly<Record<Theme, { readonly icon: IconName; readonly label: string }>> = {
  system: { icon: 'system', label: 'As the device' },
  light: { icon: 'sun', label: 'Light' },
  dark: { icon: 'moon', label: 'Dark' },
};

function ThemeButton() {
  const { icon, label } = themeLooks[theme.value];
  return (
    <button type="button" class="side-button" onClick={nextTheme} aria-label={`Theme: ${label}`}>
      <Icon name={icon} /> {label}
    </button>
  );
}

function User() {
  const state = session.value;
  if (state.phase !== 'signed-in') return null;
  return (
    <div class="user">
      <span class="user-name" title={state.groups.join('\n')} dir="auto">
        {state.user}
      </span>
      {state.hasSession ? (
        <button type="button" class="button small" onClick={() => void signOut()}>
          Sign out
        </button>
      ) : (
        <span class="muted">by certificate</span>
      )}
    </div>
  );
}
