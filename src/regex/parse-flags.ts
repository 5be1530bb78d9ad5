import type { Cursor } from './cursor.ts';
import { RegexSyntaxError } from './regex-syntax-error.ts';

/** The flags of `(?imsU)`. Go compiles with `oneLine` on and the others off. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly oneLine: boolean;
  readonly dotNewline: boolean;
  readonly nonGreedy: boolean;
}

export const initialFlags: Flags = {
  ignoreCase: false,
  oneLine: true,
  dotNewline: false,
  nonGreedy: false,
};

type GroupHead =
  | { readonly kind: 'capture' }
  | { readonly kind: 'open'; readonly flags: Flags }
  | { readonly kind: 'flags'; readonly flags: Flags };

/** Reads `(?P<name>`, `(?<name>`, `(?flags:` or `(?flags)`; the cursor is at `(?`. */
export function parseGroupHead(cursor: Cursor, flags: Flags): GroupHead {
  const left = cursor.pattern.length - cursor.at;
  if (left > 4 && cursor.lookingAt('(?P<')) return parseName(cursor, 4);
  if (left > 3 && cursor.lookingAt('(?<')) return parseName(cursor, 3);
  return parseFlags(cursor, flags);
}

function parseName(cursor: Cursor, nameOffset: number): GroupHead {
  const end = cursor.pattern.indexOf('>', cursor.at);
  if (end < 0) throw new RegexSyntaxError('invalid named capture', cursor.rest());
  const start = cursor.at;
  cursor.at = end + 1;
  if (!/^[0-9A-Za-z_]+$/.test(cursor.pattern.slice(start + nameOffset, end))) {
    throw new RegexSyntaxError('invalid named capture', cursor.since(start));
  }
  return { kind: 'capture' };
}

function parseFlags(cursor: Cursor, before: Flags): GroupHead {
  const start = cursor.at;
  cursor.at += 2;
  let flags = before;
  let on = true;
  let sawFlag = false;
  while (!cursor.done) {
    const char = String.fromCodePoint(cursor.next());
    const changed = withFlag(flags, char, on);
    if (changed !== undefined) {
      flags = changed;
      sawFlag = true;
    } else if (char === '-' && on) {
      on = false;
      sawFlag = false;
    } else if ((char === ':' || char === ')') && (on || sawFlag)) {
      return { kind: char === ':' ? 'open' : 'flags', flags };
    } else break;
  }
  throw new RegexSyntaxError('invalid or unsupported Perl syntax', cursor.since(start));
}

function withFlag(flags: Flags, char: string, on: boolean): Flags | undefined {
  switch (char) {
    case 'i':
      return { ...flags, ignoreCase: on };
    case 'm':
      return { ...flags, oneLine: !on };
    case 's':
      return { ...flags, dotNewline: on };
    case 'U':
      return { ...flags, nonGreedy: on };
    default:
      return undefined;
  }
}
