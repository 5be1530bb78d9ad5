import { goJsonKind, goQuote } from '../go/go-text.ts';
import { badRequestError, type StatusError } from '../refusal/status.ts';
import { isObject, type JsonObject, type JsonValue, own } from '../value/value.ts';

/**
 * The start and the revision of the next page of a list; the content of `metadata.continue`. The token has upstream's
 * format, so that clients can continue a list on another server: base64url without padding of
 * `{"v":"meta.k8s.io/v1","rv":7,"start":"ns/name\u0000"}`.
 */
export interface ContinueToken {
  /** The revision of the list's first page; -1 continues at the current revision. */
  readonly revision: number;
  /** The first key of the page, without the prefix of the resource. */
  readonly startKey: string;
}

/** The revision of a token that continues at the current state because the list's revision was compacted. */
export const continueAtLatest = -1;

const tokenVersion = 'meta.k8s.io/v1';

/** Encodes the token for the client. */
export function encodeContinueToken(token: ContinueToken): string {
  const json = JSON.stringify({ v: tokenVersion, rv: token.revision, start: token.startKey });
  return Buffer.from(json).toString('base64url');
}

/**
 * Decodes a token from a client. The start key is cleaned: `..` cannot lead out of its resource.
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

/** Go skips line breaks and reports the position of an invalid byte; a single character left over is one too few. */
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

/** Go's message for text that is not JSON; truncated JSON is reported as such. */
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
