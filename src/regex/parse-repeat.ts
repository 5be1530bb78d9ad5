import type { Cursor } from './cursor.ts';

/** Bounds as written: `max` -1 is unbounded; undefined if a number exceeds the limits. */
interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** `{2}`, `{2,}`, `{2,5}`; no leading zeros. Anything else is a literal brace. */
const braces = /\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}/y;

/** Reads counted bounds, if some are next. */
export function parseBounds(cursor: Cursor): Bounds | undefined {
  braces.lastIndex = cursor.at;
  const match = braces.exec(cursor.pattern);
  if (match === null) return undefined;
  const [text, low, comma, high] = match;
  cursor.at += text.length;
  const min = Number(low);
  if (comma === undefined) return { min, max: min };
  return { min, max: high === undefined ? -1 : Number(high) };
}
