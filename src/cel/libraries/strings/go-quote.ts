const short: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** Go's `%q`: a double-quoted string with escapes for unprintable characters. */
export function goQuote(text: string): string {
  return `"${Array.from(text, escapeCharacter).join('')}"`;
}

/** The same for bytes: valid UTF-8 as text, other bytes as `\xff`. */
export function goQuoteBytes(bytes: Uint8Array): string {
  let text = '';
  for (let offset = 0; offset < bytes.length; ) {
    const character = decodeAt(bytes, offset);
    text += character === undefined ? `\\x${(bytes[offset] ?? 0).toString(16)}` : escapeCharacter(character);
    offset += character === undefined ? 1 : Buffer.byteLength(character);
  }
  return `"${text}"`;
}

/** The code point at an index; undefined if the bytes are not UTF-8. */
function decodeAt(bytes: Uint8Array, offset: number): string | undefined {
  const first = bytes[offset] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      bytes.subarray(offset, offset + length),
    );
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

function escapeCharacter(character: string): string {
  const known = short[character];
  if (known !== undefined) return known;
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) return character;
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, '0')}`;
  return point > 0xffff
    ? `\\U${point.toString(16).padStart(8, '0')}`
    : `\\u${point.toString(16).padStart(4, '0')}`;
}
