import { bodyOf, caseFrom, type PlaygroundCase } from './playground-case.ts';

const mark = '#case=';
/** Some programs truncate longer URLs. */
const linkCharsMax = 64 * 1024;
/** A few compressed bytes can expand to any size. */
const caseBytesMax = 1024 * 1024;

/** An invalid link, or a case too large for one. */
class CaseLinkError extends Error {
  override readonly name = 'CaseLinkError';
}

/**
 * Encodes the whole case in the fragment of a URL, which browsers do not send.
 *
 * @throws {CaseLinkError} for a case that is too large
 */
export async function fragmentOf(one: PlaygroundCase): Promise<string> {
  const packed = await read(
    new Blob([linkText(one)]).stream().pipeThrough(new CompressionStream('deflate-raw')),
    linkCharsMax,
  );
  const fragment = mark + base64Of(packed);
  if (fragment.length > linkCharsMax) throw tooLarge();
  return fragment;
}

/** The request body, with the rule of a case that has one. */
function linkText({ rule, ...rest }: PlaygroundCase): string {
  const body = bodyOf(rest);
  return rule === '' ? body : JSON.stringify({ rule, ...(JSON.parse(body) as object) });
}

/** Whether a URL contains a case. */
export function hasCase(fragment: string): boolean {
  return fragment.startsWith(mark);
}

/** Decodes the case of a URL. @throws {CaseLinkError} */
export async function caseIn(fragment: string): Promise<PlaygroundCase> {
  if (fragment.length > linkCharsMax) throw new CaseLinkError('the link is too long');
  const found = caseFrom(await unpacked(fragment.slice(mark.length)));
  if (found === undefined) throw new CaseLinkError('the link holds something else than a case');
  return found;
}

async function unpacked(text: string): Promise<unknown> {
  try {
    const bytes = await read(
      new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw')),
      caseBytesMax,
    );
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof CaseLinkError) throw error;
    throw new CaseLinkError('the link is damaged: a part of it may be missing', { cause: error });
  }
}

/** Stops above the size limit. @throws {CaseLinkError} */
async function read(stream: ReadableStream<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > bytesMax) {
      await reader.cancel();
      throw tooLarge();
    }
    pieces.push(next.value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function tooLarge(): CaseLinkError {
  return new CaseLinkError('the case is too large for a link');
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
