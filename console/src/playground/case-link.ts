import { bodyOf, caseFrom, type PlaygroundCase } from './playground-case.ts';

const mark = '#case=';
/** Longer addresses are cut by some programs that pass them on. */
const linkCharsMax = 64 * 1024;
/** A few bytes of a link can hold any number of bytes. */
const caseBytesMax = 1024 * 1024;

/** Why a link holds no case, or a case no link. */
export class CaseLinkError extends Error {
  override readonly name = 'CaseLinkError';
}

/**
 * The whole case behind the `#` of an address: browsers send it to nobody.
 *
 * @throws {CaseLinkError} for a case that is too large
 */
export async function fragmentOf(one: PlaygroundCase): Promise<string> {
  const packed = await read(
    new Blob([bodyOf(one)]).stream().pipeThrough(new CompressionStream('deflate-raw')),
    linkCharsMax,
  );
  const fragment = mark + base64Of(packed);
  if (fragment.length > linkCharsMax) throw tooLarge();
  return fragment;
}

/** Whether an address says that it holds a case. */
export function hasCase(fragment: string): boolean {
  return fragment.startsWith(mark);
}

/** The case in an address. @throws {CaseLinkError} */
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

/** Stops where it is too much. @throws {CaseLinkError} */
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
