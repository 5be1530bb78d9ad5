import { Buffer, isUtf8 } from 'node:buffer';

/** The bytes as a Buffer that shares the memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Decodes UTF-8 as Go does: every byte that is not part of a character becomes one U+FFFD. (Browsers and Node replace
 * a whole truncated character by one U+FFFD.)
 */
export function goUtf8(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = characterLength(buffer, at);
    if (length === 0) parts.push(buffer.toString('utf8', from, at), '\ufffd');
    at += Math.max(length, 1);
    if (length === 0) from = at;
  }
  parts.push(buffer.toString('utf8', from));
  return parts.join('');
}

/** The number of bytes of the character at a position; 0 if there is no valid one. */
function characterLength(buffer: Buffer, at: number): number {
  const lead = buffer[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at + length <= buffer.length && isUtf8(buffer.subarray(at, at + length)) ? length : 0;
}

const loneSurrogates = /\p{Surrogate}/gu;

/** The text with U+FFFD for every unpaired surrogate. */
export function wellFormed(text: string): string {
  return text.replace(loneSurrogates, '\ufffd');
}
