import { skipString, skipValue } from './compact-json.ts';
import { asBuffer } from './json-text.ts';

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const colon = 0x3a;
const comma = 0x2c;
/** Go's encoder ends with one. */
const newline = 0x0a;

/** Where paths go on from an object, by the bytes of a key. */
interface Branch {
  readonly key: Buffer;
  /** Which path ends here; -1 where none does. */
  readonly leaf: number;
  readonly below: readonly Branch[];
}

/** What is not to be had without parsing. Thrown and caught here. */
const needsParser = Symbol('needs a parser');

/**
 * Picks scalars at a few paths out of compact JSON in one go, without parsing it: a tenth of what decoding costs.
 *
 * It gives what decoding would give or nothing at all: where a text has white space between its tokens, escaped keys,
 * or anything at a path that is not a string, a small integer, a boolean or null, the caller must decode.
 */
export class JsonPicker {
  readonly #root: readonly Branch[];
  readonly #count: number;

  /** @param paths keys from the root on; none may begin another one */
  constructor(paths: readonly (readonly string[])[]) {
    this.#root = branchesOf(paths.map((keys, leaf) => ({ keys, leaf })));
    this.#count = paths.length;
  }

  /** The texts at the paths, undefined where there is none or null; undefined as a whole where decoding must tell. */
  pick(bytes: Uint8Array): (string | undefined)[] | undefined {
    const found = new Array<string | undefined>(this.#count).fill(undefined);
    try {
      const end = pickObject(bytes, 0, { branches: this.#root, found });
      const rest = bytes.length - end;
      return rest === 0 || (rest === 1 && bytes[end] === newline) ? found : undefined;
    } catch (error) {
      if (error === needsParser) return undefined;
      throw error;
    }
  }
}

/** Paths that have the same next key go on together. */
function branchesOf(paths: readonly { readonly keys: readonly string[]; readonly leaf: number }[]): Branch[] {
  const byKey = new Map<string, typeof paths>();
  for (const { keys, leaf } of paths) {
    const [key = '', ...rest] = keys;
    byKey.set(key, [...(byKey.get(key) ?? []), { keys: rest, leaf }]);
  }
  return [...byKey].map(([key, of]) => ({
    key: Buffer.from(key),
    leaf: of.find(({ keys }) => keys.length === 0)?.leaf ?? -1,
    below: branchesOf(of.filter(({ keys }) => keys.length > 0)),
  }));
}

interface Search {
  readonly branches: readonly Branch[];
  readonly found: (string | undefined)[];
}

/** The offset after an object whose members were looked at. */
function pickObject(bytes: Uint8Array, start: number, { branches, found }: Search): number {
  if (bytes[start] !== openBrace) throw needsParser;
  let at = start + 1;
  if (bytes[at] === closeBrace) return at + 1;
  for (;;) {
    if (bytes[at] !== quote) throw needsParser;
    const keyEnd = plainStringEnd(bytes, at + 1);
    if (bytes[keyEnd + 1] !== colon) throw needsParser;
    const value = keyEnd + 2;
    const branch = branches.find(({ key }) => isKey(bytes, at + 1, keyEnd, key));
    at = branch === undefined ? skipPlainValue(bytes, value) : pickValue(bytes, value, { branch, found });
    if (bytes[at] === closeBrace) return at + 1;
    if (bytes[at] !== comma) throw needsParser;
    at += 1;
  }
}

/** White space in front of a value would make it look like one that ends at once. */
function skipPlainValue(bytes: Uint8Array, at: number): number {
  if ((bytes[at] ?? 0) <= 0x20) throw needsParser;
  return skipValue(bytes, at);
}

/** The offset of the closing quote; a key with escapes is for a parser. */
function plainStringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] === quote) return at;
    if (bytes[at] === backslash) break;
  }
  throw needsParser;
}

function isKey(bytes: Uint8Array, start: number, end: number, key: Buffer): boolean {
  if (end - start !== key.length) return false;
  for (let at = 0; at < key.length; at += 1) if (bytes[start + at] !== key[at]) return false;
  return true;
}

function pickValue(
  bytes: Uint8Array,
  at: number,
  { branch, found }: { readonly branch: Branch; readonly found: (string | undefined)[] },
): number {
  if (branch.leaf < 0) {
    if (bytes[at] !== openBrace) return skipNull(bytes, at);
    return pickObject(bytes, at, { branches: branch.below, found });
  }
  // The last of equal keys counts.
  found[branch.leaf] = undefined;
  if (bytes[at] === quote) {
    const end = skipString(bytes, at);
    found[branch.leaf] = stringText(bytes, at, end);
    return end;
  }
  const end = skipPlainValue(bytes, at);
  found[branch.leaf] = scalarText(bytes, at, end);
  return end;
}

function skipNull(bytes: Uint8Array, at: number): number {
  const end = skipPlainValue(bytes, at);
  if (latin(bytes, at, end) !== 'null') throw needsParser;
  return end;
}

function stringText(bytes: Uint8Array, start: number, end: number): string {
  let isAscii = true;
  for (let at = start + 1; at < end - 1; at += 1) {
    const byte = bytes[at] ?? 0;
    // Half of a surrogate pair is read otherwise by Go than by JSON.parse.
    if (byte === backslash) throw needsParser;
    if (byte >= 0x80) isAscii = false;
  }
  if (isAscii) return latin(bytes, start + 1, end - 1);
  const text = asBuffer(bytes).toString('utf8', start + 1, end - 1);
  if (text.includes('\ufffd')) throw needsParser;
  return text;
}

/** Fifteen digits are an integer that prints as it is written. */
const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/;

function scalarText(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > 16) throw needsParser;
  const text = latin(bytes, start, end);
  if (text === 'null') return undefined;
  if (text === 'true' || text === 'false' || plainInteger.test(text)) return text;
  throw needsParser;
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  return asBuffer(bytes).toString('latin1', start, end);
}
