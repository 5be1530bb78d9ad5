import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { intOf, maxInt, minInt } from '../values/int.ts';
import { CelUint, maxUint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';

/** The value of a number literal, or an error message. */
export function numberLiteral(
  kind: 'NUM_INT' | 'NUM_UINT' | 'NUM_FLOAT',
  text: string,
  negative: boolean,
): Value | Invalid {
  if (kind === 'NUM_FLOAT') return floatLiteral(text, negative);
  if (kind === 'NUM_UINT') {
    const value = BigInt(text.slice(0, -1));
    return value > maxUint ? new Invalid('invalid uint literal') : new CelUint(value);
  }
  const value = negative ? -BigInt(text) : BigInt(text);
  return value < minInt || value > maxInt ? new Invalid('invalid int literal') : intOf(value);
}

function floatLiteral(text: string, negative: boolean): Value | Invalid {
  const value = Number(text);
  if (!Number.isFinite(value)) return new Invalid('invalid double literal');
  return new CelDouble(negative ? -value : value);
}

/** Why a literal is invalid. */
export class Invalid {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const simpleEscapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};
const escapes = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7][0-7])|([\s\S]))/g;

/** The value of a string literal, given with quotes and prefix. */
export function stringLiteral(text: string): string | Invalid {
  const { body, raw } = unquote(text);
  if (raw || !body.includes('\\')) return body;
  let invalid = false;
  const value = body.replace(escapes, (_, byte, short, long, octal, simple) => {
    if (simple !== undefined) return simpleEscapes[simple] ?? '';
    const point =
      octal === undefined ? Number.parseInt(byte ?? short ?? long, 16) : Number.parseInt(octal, 8);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) invalid = true;
    return invalid ? '' : String.fromCodePoint(point);
  });
  return invalid ? new Invalid('invalid unicode code point') : value;
}

/** The value of a bytes literal: `\x41` and `\101` are bytes, everything else is UTF-8. */
export function bytesLiteral(text: string): CelBytes | Invalid {
  const { body, raw } = unquote(text.slice(1));
  if (raw || !body.includes('\\')) return new CelBytes(Buffer.from(body, 'utf8'));
  const parts: Buffer[] = [];
  let end = 0;
  for (const match of body.matchAll(escapes)) {
    const [whole, byte, short, long, octal, simple] = match;
    if (short !== undefined || long !== undefined) return new Invalid('unable to unescape string');
    parts.push(Buffer.from(body.slice(end, match.index), 'utf8'));
    if (simple !== undefined) parts.push(Buffer.from(simpleEscapes[simple] ?? ''));
    else
      parts.push(
        Buffer.of(octal === undefined ? Number.parseInt(byte ?? '', 16) : Number.parseInt(octal, 8)),
      );
    end = match.index + whole.length;
  }
  parts.push(Buffer.from(body.slice(end), 'utf8'));
  return new CelBytes(Buffer.concat(parts));
}

function unquote(text: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(text);
  const quoted = (raw ? text.slice(1) : text).replace(/\r\n?/g, '\n');
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}
