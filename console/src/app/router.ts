import { computed, signal } from '@preact/signals';

const root = '/console';

/** A location: a path such as `/kinds`, and the query. */
interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const address = signal(placeOf(location));

/** The current location. */
export const place = computed<Place>(() => address.value);

addEventListener('popstate', () => {
  address.value = placeOf(location);
});

/** The URL of a location, for links. */
export function href(path: string, query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `${root}${path}${text === '' ? '' : `?${text}`}`;
}

/** Navigates to a URL of {@link href}. `replace` adds no history entry. */
export function goTo(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.value = placeOf(location);
}

/** Changes the query of the current location. */
export function setQuery(
  changes: Readonly<Record<string, string>>,
  options: { replace?: boolean } = { replace: true },
): void {
  const query = Object.fromEntries([...place.peek().query, ...Object.entries(changes)]);
  goTo(href(place.peek().path, query), options);
}

/** Handles links within the console without reloading. */
export function followLinks(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (
    link === null ||
    link.target !== '' ||
    link.origin !== location.origin ||
    !link.pathname.startsWith(`${root}/`)
  )
    return;
  event.preventDefault();
  goTo(link.pathname + link.search);
}

function placeOf({ pathname, search }: Location): Place {
  const path = pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : '/';
  return { path, query: new URLSearchParams(search) };
}

/** Matches a path with a pattern: `/objects/:group` and `/objects/apps` give `{ group: 'apps' }`. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, found] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== found.length) return undefined;
  const named: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const text = decoded(found[at] ?? '');
    if (part.startsWith(':')) named[part.slice(1)] = text;
    else if (part !== text) return undefined;
  }
  return named;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
