import { CelError, isError } from '../../values/cel-error.ts';

/** A URL as parsed by Go's net/url. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  readonly host: string;
  /** Decoded. */
  readonly path: string;
  /** As written, if that differs from the encoding of the decoded path. */
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly forceQuery: boolean;
  readonly userInfo: string | undefined;
  readonly fragment: string;
}

/** Go's url.ParseRequestURI: an absolute URI or an absolute path; errors have Go's text. */
export function parseRequestUri(text: string): GoUrl | CelError {
  const failed = (reason: string): CelError => new CelError(`parse ${JSON.stringify(text)}: ${reason}`);
  if (/\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, '')))
    return failed('net/url: invalid control character in URL');
  if (text === '') return failed('empty url');
  const parsed = parseParts(text, true);
  return isError(parsed) ? failed(parsed.message) : parsed;
}

/** Go's url.Parse for input that ParseRequestURI has accepted: the fragment is removed first. */
export function parseUrl(text: string): GoUrl | CelError {
  const hash = text.indexOf('#');
  const parsed = parseParts(hash < 0 ? text : text.slice(0, hash), false);
  if (isError(parsed)) return new CelError(`parse ${JSON.stringify(text)}: ${parsed.message}`);
  if (hash < 0) return parsed;
  const fragment = unescapeComponent(text.slice(hash + 1), 'path');
  return isError(fragment)
    ? new CelError(`parse ${JSON.stringify(text)}: ${fragment.message}`)
    : { ...parsed, fragment };
}

const empty: GoUrl = {
  scheme: '',
  opaque: '',
  host: '',
  path: '',
  rawPath: '',
  rawQuery: '',
  forceQuery: false,
  userInfo: undefined,
  fragment: '',
};

function parseParts(text: string, viaRequest: boolean): GoUrl | CelError {
  if (text === '*') return { ...empty, path: '*' };
  const split = splitScheme(text);
  if (isError(split)) return split;
  const scheme = split.scheme.toLowerCase();
  const { rest, rawQuery, forceQuery } = splitQuery(split.rest);
  const url: GoUrl = { ...empty, scheme, rawQuery, forceQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if (viaRequest) return new CelError('invalid URI for request');
    if (rest.split('/', 1)[0]?.includes(':'))
      return new CelError('first path segment in URL cannot contain colon');
  }
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//'))
    return withAuthority(url, rest.slice(2));
  return withPath(url, rest);
}

function splitScheme(text: string): { scheme: string; rest: string } | CelError {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  if (match !== null) return { scheme: match[1] ?? '', rest: text.slice(match[0].length) };
  return text.startsWith(':') ? new CelError('missing protocol scheme') : { scheme: '', rest: text };
}

function splitQuery(text: string): { rest: string; rawQuery: string; forceQuery: boolean } {
  const mark = text.indexOf('?');
  if (mark < 0) return { rest: text, rawQuery: '', forceQuery: false };
  const rawQuery = text.slice(mark + 1);
  return { rest: text.slice(0, mark), rawQuery, forceQuery: rawQuery === '' };
}

function withAuthority(url: GoUrl, text: string): GoUrl | CelError {
  const slash = text.indexOf('/');
  const authority = slash < 0 ? text : text.slice(0, slash);
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if (isError(host)) return host;
  const userInfo = at < 0 ? undefined : authority.slice(0, at);
  if (userInfo !== undefined) {
    if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo)) return new CelError('net/url: invalid userinfo');
    const decoded = unescapeComponent(userInfo, 'path');
    if (isError(decoded)) return decoded;
  }
  return withPath({ ...url, host, userInfo }, slash < 0 ? '' : text.slice(slash));
}

function parseHost(text: string): string | CelError {
  if (!text.startsWith('[')) {
    const colon = text.lastIndexOf(':');
    if (colon >= 0 && !/^:\d*$/.test(text.slice(colon)))
      return new CelError(`invalid port ${JSON.stringify(text.slice(colon))} after host`);
    return unescapeComponent(text, 'host');
  }
  const close = text.lastIndexOf(']');
  if (close < 0) return new CelError("missing ']' in host");
  const port = text.slice(close + 1);
  if (!/^(:\d*)?$/.test(port)) return new CelError(`invalid port ${JSON.stringify(port)} after host`);
  return unescapeComponent(text, 'host');
}

function withPath(url: GoUrl, text: string): GoUrl | CelError {
  const path = unescapeComponent(text, 'path');
  if (isError(path)) return path;
  return { ...url, path, rawPath: escapePath(path) === text ? '' : text };
}

/** Decodes percent-encoding; in a host only non-ASCII may be encoded, in a query `+` is a space. */
function unescapeComponent(text: string, where: 'path' | 'host' | 'query'): string | CelError {
  const bad = /%(?![0-9a-fA-F]{2})/.exec(text);
  if (bad !== null)
    return new CelError(`invalid URL escape ${JSON.stringify(text.slice(bad.index, bad.index + 3))}`);
  if (where === 'host') {
    const encoded = /%([0-7][0-9a-fA-F])/.exec(text);
    if (encoded !== null && encoded[1] !== '25')
      return new CelError(`invalid URL escape ${JSON.stringify(encoded[0])}`);
    const odd = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(text);
    if (odd !== null) return new CelError(`invalid character ${JSON.stringify(odd[0])} in host name`);
  }
  const plain = where === 'query' ? text.replaceAll('+', ' ') : text;
  if (!plain.includes('%')) return plain;
  return Buffer.concat(plain.split(/(%[0-9a-fA-F]{2})/).map(bytesOf)).toString('utf8');
}

function bytesOf(part: string): Buffer {
  return /^%[0-9a-fA-F]{2}$/.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8');
}

function escapePath(path: string): string {
  return Array.from(path, (character) =>
    /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(character) ? character : percentEncoded(character),
  ).join('');
}

function percentEncoded(character: string): string {
  return Array.from(
    Buffer.from(character, 'utf8'),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** Go's EscapedPath: as written, if that is a valid encoding of the path. */
export function escapedPath({ path, rawPath }: GoUrl): string {
  if (rawPath !== '' && /^([A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/]|%[0-9a-fA-F]{2})*$/.test(rawPath))
    return rawPath;
  return path === '*' ? '*' : escapePath(path);
}

/** The host without port and brackets. */
export function hostname({ host }: GoUrl): string {
  const withoutPort = host.replace(/:\d*$/, '');
  const name = host.startsWith('[') ? host.slice(0, host.lastIndexOf(']') + 1) : withoutPort;
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

export function port({ host }: GoUrl): string {
  const behind = host.startsWith('[') ? host.slice(host.lastIndexOf(']') + 1) : host;
  return /:(\d*)$/.exec(behind)?.[1] ?? '';
}

/** Values by key, in order of first appearance; undecodable parts are dropped. */
export function queryValues({ rawQuery }: GoUrl): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const part of rawQuery.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    const key = unescapeComponent(equals < 0 ? part : part.slice(0, equals), 'query');
    const value = unescapeComponent(equals < 0 ? '' : part.slice(equals + 1), 'query');
    if (isError(key) || isError(value)) continue;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

/** The URL as a string; URLs are equal if these strings are. */
export function formatUrl(url: GoUrl): string {
  const query = url.forceQuery || url.rawQuery !== '' ? `?${url.rawQuery}` : '';
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const fragment = url.fragment === '' ? '' : `#${url.fragment}`;
  if (url.opaque !== '') return `${scheme}${url.opaque}${query}${fragment}`;
  const hasAuthority = url.scheme !== '' || url.host !== '' || url.userInfo !== undefined;
  const authority = hasAuthority
    ? `//${url.userInfo === undefined ? '' : `${url.userInfo}@`}${url.host}`
    : '';
  return `${scheme}${authority}${escapedPath(url)}${query}${fragment}`;
}
