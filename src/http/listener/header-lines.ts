import type { HeaderLines } from '../../auth/index.ts';

const noLines: HeaderLines = Object.freeze([]);

/**
 * The headers of a raw list (name, value, name, ...) whose lower-case name has the prefix. It runs for every request,
 * and most have none: without a match, nothing is allocated.
 */
export function headerLinesFrom(raw: readonly string[], prefix: string): HeaderLines {
  let found: [string, string][] | undefined;
  const first = prefix.charCodeAt(0);
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    // The bit that distinguishes lower-case letters from capitals.
    if ((name.charCodeAt(0) | 0x20) !== first) continue;
    if (name.length < prefix.length || name.slice(0, prefix.length).toLowerCase() !== prefix) continue;
    found ??= [];
    found.push([name.toLowerCase(), raw[at + 1] ?? '']);
  }
  return found ?? noLines;
}
