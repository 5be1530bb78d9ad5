import { JsonPathError } from './json-path-error.ts';

const simpleEscapes: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['\\', 92],
]);

/** `\x41`, `\101`, `\u0041`, `\U00000041` at the start of a text. */
const numericEscape = /^(?:x([0-9A-Fa-f]{2})|([0-7]{3})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/;

/**
 * Decodes a quoted text with Go's escapes, in either kind of quotes.
 *
 * @throws {JsonPathError} `unquote string '...' error invalid syntax`
 */
export function unquote(quoted: string): string {
  const quote = quoted.charAt(0);
  const inner = quoted.slice(1, -1);
  const fail = () => new JsonPathError(`unquote string ${quoted} error invalid syntax`);
  const parts: Buffer[] = [];
  for (let at = 0; at < inner.length; ) {
    const stop = inner.slice(at).search(/[\\'"]/);
    const plain = stop === -1 ? inner.slice(at) : inner.slice(at, at + stop);
    parts.push(Buffer.from(plain));
    at += plain.length;
    const char = inner.charAt(at);
    if (char === '') break;
    if (char === quote) throw fail();
    if (char !== '\\') {
      parts.push(Buffer.from(char));
      at += 1;
      continue;
    }
    const meant = readEscape(inner.slice(at + 1, at + 10), quote);
    if (meant === undefined) throw fail();
    parts.push(meant.bytes);
    at += 1 + meant.length;
  }
  return Buffer.concat(parts).toString();
}

/** Decodes the text after a backslash: its bytes and the number of characters consumed. */
function readEscape(text: string, quote: string): { bytes: Buffer; length: number } | undefined {
  const first = text.charAt(0);
  const simple = simpleEscapes.get(first);
  if (simple !== undefined) return { bytes: Buffer.from([simple]), length: 1 };
  if (first === quote && first !== '') return { bytes: Buffer.from(first), length: 1 };
  const [found, hex, octal, short, long] = numericEscape.exec(text) ?? [];
  if (found === undefined) return undefined;
  if (hex !== undefined) return { bytes: Buffer.from([Number.parseInt(hex, 16)]), length: found.length };
  if (octal !== undefined) {
    const byte = Number.parseInt(octal, 8);
    return byte > 255 ? undefined : { bytes: Buffer.from([byte]), length: found.length };
  }
  const code = Number.parseInt(short ?? long ?? '', 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return { bytes: Buffer.from(String.fromCodePoint(code)), length: found.length };
}
