import type { HeaderLines } from '../../auth/index.ts';

const plainName = /^[A-Za-z0-9-]+$/;
/** A value without surrounding white space, which `Headers` would trim, and without characters that it refuses. */
const plainValue = /^[!-~](?:[ -~]*[!-~])?$/;

/** The header accessors of a request. */
interface ReadHeaders {
  /** A header by its lower-case name. */
  get(name: string): string | undefined;
  /** The headers whose lower-case name has the prefix; values that `Headers` joined are split again. */
  from(prefix: string): HeaderLines;
}

/**
 * Reads headers by their lower-case names. Creates a `Headers` only for unusual input, because it is slow, and because
 * the first one of a process makes Node load its `fetch`.
 *
 * @throws {TypeError} for invalid headers, as `fetch` does
 */
export function readHeaders(init: RequestInit['headers']): ReadHeaders {
  const plain = plainHeaders(init);
  if (plain === undefined) return headersOf(new Headers(init));
  return { get: (name) => plain.get(name), from: (prefix) => linesFrom(plain, prefix) };
}

/** The accessors for a `Headers`. */
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
    // Two spellings of a name share one list.
    if (found.has(lower)) return undefined;
    found.set(lower, value);
  }
  return found;
}
