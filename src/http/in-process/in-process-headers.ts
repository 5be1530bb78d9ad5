import type { HeaderLines } from '../../auth/index.ts';

const plainName = /^[A-Za-z0-9-]+$/;
/** Without white space at its ends, which `Headers` takes away, and with nothing that it refuses. */
const plainValue = /^[!-~](?:[ -~]*[!-~])?$/;

/** What a request needs of its headers. */
interface ReadHeaders {
  /** A header by its lower-case name. */
  get(name: string): string | undefined;
  /** Those whose lower-case name begins so; values that `Headers` has joined are parted again. */
  from(prefix: string): HeaderLines;
}

/**
 * Reads headers by their lower-case names. `Headers` is only made of what is unusual, for it is slow, and the first one of a
 * process makes Node load its `fetch`.
 *
 * @throws {TypeError} for what is no header, as `fetch` does
 */
export function readHeaders(init: RequestInit['headers']): ReadHeaders {
  const plain = plainHeaders(init);
  if (plain === undefined) return headersOf(new Headers(init));
  return { get: (name) => plain.get(name), from: (prefix) => linesFrom(plain, prefix) };
}

/** The same of what `fetch` has made. */
export function headersOf(headers: Headers): ReadHeaders {
  return { get: (name) => headers.get(name) ?? undefined, from: (prefix) => linesFrom(headers, prefix) };
}

const noLines: HeaderLines = Object.freeze([]);

function linesFrom(headers: Iterable<[string, string]>, prefix: string): HeaderLines {
  let found: [string, string][] | undefined;
  for (const [name, value] of headers) {
    if (!name.startsWith(prefix)) continue;
    found ??= [];
    for (const one of value.split(', ')) found.push([name, one]);
  }
  return found ?? noLines;
}

function plainHeaders(init: RequestInit['headers']): Map<string, string> | undefined {
  const found = new Map<string, string>();
  if (init === undefined) return found;
  if (Object.getPrototypeOf(init) !== Object.prototype) return undefined;
  for (const [name, value] of Object.entries(init)) {
    const lower = name.toLowerCase();
    if (typeof value !== 'string' || !plainName.test(name) || !plainValue.test(value)) return undefined;
    // Of the same name in two spellings, one list is made.
    if (found.has(lower)) return undefined;
    found.set(lower, value);
  }
  return found;
}
