import { goQuote } from '../meta/index.ts';

/** The parts of a URL that CRD validation needs. */
interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** As Go prints it; undefined if the URL has none. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

/** A string that Go's `url.Parse` refuses; `message` is Go's error. */
export class GoUrlError extends Error {
  override readonly name = 'GoUrlError';
}

const schemeShape = /^([A-Za-z][A-Za-z0-9+\-.]*):/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const control = /[\x00-\x1f\x7f]/;
const badEscape = /%(?![0-9A-Fa-f]{2})/;
/** A host may contain escapes only of non-ASCII characters. */
const badHostEscape = /%(?!25|[89A-Fa-f][0-9A-Fa-f])/;
const hostAllowed = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%]|[\u0080-\u{10ffff}]/u;

/**
 * Parses a URL as Go's `net/url` does, which accepts much that WHATWG URLs do not.
 *
 * @throws {GoUrlError} with Go's text.
 */
export function parseGoUrl(text: string): GoUrl {
  const fail = (why: string) => new GoUrlError(`parse ${goQuote(text)}: ${why}`);
  const [beforeFragment = '', fragment = ''] = cut(text, '#');
  if (control.test(beforeFragment)) throw fail('net/url: invalid control character in URL');
  if (beforeFragment.startsWith(':')) throw fail('missing protocol scheme');
  const scheme = schemeShape.exec(beforeFragment)?.[1] ?? '';
  const [rest = '', query = ''] = cut(beforeFragment.slice(scheme === '' ? 0 : scheme.length + 1), '?');
  const base = { scheme: scheme.toLowerCase(), query, fragment };
  if (!rest.startsWith('/') && scheme !== '') return { ...base, host: '', user: undefined };
  const firstSegment = rest.split('/', 1)[0] ?? '';
  if (!rest.startsWith('/') && firstSegment.includes(':')) {
    throw fail('first path segment in URL cannot contain colon');
  }
  const authority = rest.startsWith('//') ? (rest.slice(2).split('/', 1)[0] ?? '') : '';
  const escapedPart = rest.startsWith('//') ? rest.slice(2 + authority.length) : rest;
  checkEscapes(escapedPart, { bad: badEscape, fail });
  return { ...base, ...parseAuthority(authority, fail) };
}

type Fail = (why: string) => GoUrlError;

function parseAuthority(authority: string, fail: Fail): Pick<GoUrl, 'host' | 'user'> {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const user = at === -1 ? undefined : authority.slice(0, at);
  if (user !== undefined && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) {
    throw fail('net/url: invalid userinfo');
  }
  for (const char of host) {
    if (!hostAllowed.test(char)) throw fail(`invalid character ${goQuote(char)} in host name`);
  }
  if (host.startsWith('[') && !host.includes(']')) throw fail("missing ']' in host");
  checkEscapes(host, { bad: badHostEscape, fail });
  const port = /:[^:\]]*$/.exec(host)?.[0] ?? '';
  if (!/^(?::[0-9]*)?$/.test(port)) throw fail(`invalid port ${goQuote(port)} after host`);
  return { host, user };
}

function checkEscapes(text: string, { bad, fail }: { readonly bad: RegExp; readonly fail: Fail }): void {
  const found = bad.exec(text);
  if (found !== null) throw fail(`invalid URL escape ${goQuote(text.slice(found.index, found.index + 3))}`);
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
