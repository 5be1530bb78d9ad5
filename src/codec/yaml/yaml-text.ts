import { isUtf8 } from 'node:buffer';
import { DecodeError } from '../decode-error.ts';
import { asBuffer } from '../json/json-text.ts';

/** One document of a YAML stream. */
export interface YamlDocumentText {
  readonly text: string;
  /** The line of the stream where the text starts, from 1. */
  readonly firstLine: number;
}

/** Characters that a YAML stream must not contain unescaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches the characters to refuse
const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/**
 * The text of a YAML stream in UTF-8, or in UTF-16 with a byte order mark.
 *
 * @throws {DecodeError} for other encodings and for control characters.
 */
export function yamlText(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (control.test(text)) throw new DecodeError('yaml: control characters are not allowed');
  return text;
}

function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes, 'utf-16be');
  if (!isUtf8(bytes)) throw new DecodeError('yaml: invalid leading UTF-8 octet');
  const text = asBuffer(bytes).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function utf16(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new DecodeError('yaml: incomplete UTF-16 surrogate pair');
  }
}

const marker = /^(---|\.\.\.)(?=[ \t\r\n]|$)/gm;
/** Anything but blank lines, comments and directives. */
const content = /^(?![ \t]*(?:#|\r?$)|%)./m;
/** Directives belong to the following document; at the end of a stream that document is missing. */
const contentOrDirective = /^(?![ \t]*(?:#|\r?$))./m;

/**
 * Splits a stream at its document markers. `---` or `...` at the start of a line ends any document, even inside a
 * quoted string, so no parser is needed, and an invalid document does not affect those before it.
 */
export function* splitDocuments(text: string): Generator<YamlDocumentText> {
  let start = 0;
  let line = 1;
  let scanned = 0;
  let begun = false;
  const cut = (end: number): YamlDocumentText => ({ text: text.slice(start, end), firstLine: line });
  for (const match of text.matchAll(marker)) {
    begun ||= content.test(text.slice(scanned, match.index));
    scanned = match.index + match[0].length;
    const isEnd = match[0] === '...';
    if (begun) yield cut(match.index);
    if (begun || isEnd) {
      const next = isEnd ? scanned : match.index;
      line += countLines(text, start, next);
      start = next;
    }
    begun = !isEnd;
  }
  if (begun || contentOrDirective.test(text.slice(scanned))) yield cut(text.length);
}

/** Line breaks between two positions. */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
