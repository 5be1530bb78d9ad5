import { maxCodePoint } from './char-class.ts';
import type { Cursor } from './cursor.ts';
import { RegexSyntaxError } from './regex-syntax-error.ts';

const controlEscapes: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/**
 * Reads an escape of one character and returns its code point: `
 * `, `\x41`, `\101`, `\.`.
 */
export function parseEscape(cursor: Cursor): number {
  const start = cursor.at;
  cursor.at += 1;
  if (cursor.done) throw new RegexSyntaxError('trailing backslash at end of expression', '');
  const codePoint = escapedCodePoint(cursor);
  if (codePoint === undefined) throw new RegexSyntaxError('invalid escape sequence', cursor.since(start));
  return codePoint;
}

function escapedCodePoint(cursor: Cursor): number | undefined {
  const codePoint = cursor.next();
  const char = String.fromCodePoint(codePoint);
  if (char === 'x') return hexadecimal(cursor);
  if (char === '0') return octal(cursor, 0);
  // A single digit would be a back reference, which RE2 does not support.
  if (/^[1-7]$/.test(char)) return /^[0-7]$/.test(cursor.peek()) ? octal(cursor, Number(char)) : undefined;
  const control = controlEscapes.get(char);
  if (control !== undefined) return control;
  return codePoint < 0x80 && !/[0-9A-Za-z]/.test(char) ? codePoint : undefined;
}

function octal(cursor: Cursor, first: number): number {
  let value = first;
  for (let digits = 1; digits < 3 && /^[0-7]$/.test(cursor.peek()); digits += 1) {
    value = value * 8 + Number(cursor.peek());
    cursor.at += 1;
  }
  return value;
}

function hexadecimal(cursor: Cursor): number | undefined {
  if (cursor.done) return undefined;
  const first = cursor.next();
  if (first === 0x7b) return bracedHexadecimal(cursor);
  const high = hexDigit(first);
  const low = hexDigit(cursor.next());
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

function bracedHexadecimal(cursor: Cursor): number | undefined {
  let value = 0;
  for (let digits = 0; !cursor.done; digits += 1) {
    const char = cursor.next();
    if (char === 0x7d) return digits === 0 ? undefined : value;
    const digit = hexDigit(char);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
    if (value > maxCodePoint) return undefined;
  }
  return undefined;
}

function hexDigit(codePoint: number): number {
  const char = codePoint < 0 ? '' : String.fromCodePoint(codePoint);
  return /^[0-9A-Fa-f]$/.test(char) ? Number.parseInt(char, 16) : -1;
}
