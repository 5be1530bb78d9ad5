import { goJsonKind, goQuote } from '../go/go-text.ts';
import { badRequestError, type StatusError } from '../refusal/status.ts';
import { isObject, type JsonObject, type JsonValue, own } from '../value/value.ts';

/**
 * Where the next page of a list starts, and at which revision; what stands in `metadata.continue`.
 * The token is upstream's, so that clients can go on with their list at another server:
 * base64url without padding of `{"v":"meta.k8s.io/v1","rv":7,"start":"ns/name\u0000"}`.
 */
export interface ContinueToken {
  /** The revision that the list began at; -1 goes on at the current one. */
  readonly revision: number;
  /** The first key of the page, without what all keys of the resource begin with. */
  readonly startKey: string;
}

/** The revision of a token that goes on at the current state after the list's own was forgotten. */
export const continueAtLatest = -1;

const tokenVersion = 'meta.k8s.io/v1';

/** The token as a client gets it. */
export function encodeContinueToken(token: ContinueToken): string {
  const json = JSON.stringify({ v: tokenVersion, rv: token.revision, start: token.startKey });
  return Buffer.from(json).toString('base64url');
}

/**
 * Reads a token that a client sent back. The start key is clean: no `..` can lead it out of its resource.
 *
 * @throws {StatusError} 400 `invalid continue token: continue key is not valid...`
 */
export function decodeContinueToken(text: string): ContinueToken {
  const { v, rv, start } = decodeFields(text);
  if (v !== tokenVersion) throw invalidToken(`: server does not recognize this encoded version ${v}`);
  if (rv === 0) {
    throw invalidToken(`: incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (start === '') throw invalidToken(`: encoded start key empty (version ${tokenVersion})`);
  const key = start.startsWith('/') ? start : `/${start}`;
  if (!isCleanPath(key)) throw invalidToken(`: ${start}`);
  return Object.freeze({ revision: rv, startKey: key.slice(1) });
}

function invalidToken(why: string): StatusError {
  return badRequestError(`invalid continue token: continue key is not valid${why}`);
}

function decodeFields(text: string): { v: string; rv: number; start: string } {
  const token = parseJson(decodeBase64Url(text));
  if (token === null) return { v: '', rv: 0, start: '' };
  if (!isObject(token)) throw wrongType(goJsonKind(token), 'Go value of type storage.continueToken');
  const rv = own(token, 'rv') ?? 0;
  if (typeof rv !== 'number') throw wrongType(goJsonKind(rv), fieldText('rv', 'int64'));
  if (!Number.isInteger(rv)) throw wrongType(`number ${rv}`, fieldText('rv', 'int64'));
  return { v: readString(token, 'v'), rv, start: readString(token, 'start') };
}

function readString(token: JsonObject, name: string): string {
  const value = own(token, name) ?? '';
  if (typeof value !== 'string') throw wrongType(goJsonKind(value), fieldText(name, 'string'));
  return value;
}

function fieldText(name: string, type: string): string {
  return `Go struct field continueToken.${name} of type ${type}`;
}

function wrongType(what: string, where: string): StatusError {
  return invalidToken(`: json: cannot unmarshal ${what} into ${where}`);
}

/** Go skips line breaks and names the byte that is no base64; a single character left over is one too few. */
function decodeBase64Url(text: string): Buffer {
  const bytes = Buffer.from(text);
  let digits = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0x0a || byte === 0x0d) continue;
    if (!/[A-Za-z0-9_-]/.test(String.fromCharCode(byte))) throw illegalBase64(at);
    digits += 1;
  }
  if (digits % 4 === 1) throw illegalBase64(bytes.length - 1);
  return Buffer.from(text.replace(/[\r\n]/g, ''), 'base64url');
}

function illegalBase64(at: number): StatusError {
  return invalidToken(`: illegal base64 data at input byte ${at}`);
}

function parseJson(json: Buffer): JsonValue {
  try {
    const value: JsonValue = JSON.parse(json.toString());
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidToken(`: ${jsonErrorText(json)}`);
  }
}

/** Go's text for what is no JSON at all; broken JSON is called cut off. */
function jsonErrorText(json: Buffer): string {
  const first = json.toString('latin1').trimStart().charAt(0);
  if (first === '' || '{["-0123456789tfn'.includes(first)) return 'unexpected end of JSON input';
  const character = first === "'" ? "\\'" : goQuote(first).slice(1, -1);
  return `invalid character '${character}' looking for beginning of value`;
}

function isCleanPath(path: string): boolean {
  if (path === '/') return true;
  return path
    .slice(1)
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..');
}
