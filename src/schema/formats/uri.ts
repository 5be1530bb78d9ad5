import type { Format } from './format.ts';
import { isStrictIpv6 } from './ip.ts';

const schemePattern = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const badEscape = /%(?![0-9a-fA-F]{2})/;
const userinfoPattern = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const hostCharsPattern = /^[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\uffff]*$/;
/** In a host, only non-ASCII bytes and the percent sign may be percent-encoded. */
const badHostEscape = /%(?!25|[89a-fA-F][0-9a-fA-F])/;
const portPattern = /^(?::[0-9]*)?$/;
const zonePattern = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"\u0080-\uffff]|%[0-9a-fA-F]{2})*$/;

function isHostText(text: string): boolean {
  return hostCharsPattern.test(text) && !badHostEscape.test(text) && !badEscape.test(text);
}

/** `[2001:db8::1]:443`; a zone may follow `%25`. */
function isBracketedHost(host: string): boolean {
  const close = host.lastIndexOf(']');
  if (close === -1 || !portPattern.test(host.slice(close + 1))) return false;
  const inner = host.slice(1, close);
  const zoneAt = inner.indexOf('%25');
  if (zoneAt === -1) return isStrictIpv6(inner);
  const zone = inner.slice(zoneAt + 3);
  return isStrictIpv6(inner.slice(0, zoneAt)) && zone !== '' && zonePattern.test(zone);
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** A host with an optional port. A second colon is refused only for web schemes: other URIs may list hosts. */
function isHost(scheme: string, host: string): boolean {
  const bracket = host.lastIndexOf('[');
  if (bracket === 0) return isBracketedHost(host);
  if (bracket > 0) return false;
  const strictColons = scheme === 'http' || scheme === 'https';
  const colon = strictColons ? host.indexOf(':') : host.lastIndexOf(':');
  return (colon === -1 || portPattern.test(host.slice(colon))) && isHostText(host);
}

function isAuthority(scheme: string, authority: string): boolean {
  const at = authority.lastIndexOf('@');
  if (!isHost(scheme, authority.slice(at + 1))) return false;
  const userinfo = at === -1 ? '' : authority.slice(0, at);
  return userinfoPattern.test(userinfo) && !badEscape.test(userinfo);
}

/** An absolute URI or path, as parsed by Go's `url.ParseRequestURI`. */
function isRequestUri(text: string): boolean {
  if (text === '' || hasControlCharacter(text) || text.startsWith(':')) return false;
  if (text === '*') return true;
  const scheme = schemePattern.exec(text)?.[0] ?? '';
  const [rest = ''] = text.slice(scheme.length).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !badEscape.test(rest);
  const slash = rest.indexOf('/', 2);
  const end = slash === -1 ? rest.length : slash;
  return (
    isAuthority(scheme.slice(0, -1).toLowerCase(), rest.slice(2, end)) && !badEscape.test(rest.slice(end))
  );
}

export const uri: Format = { name: 'uri', type: 'string', accepts: isRequestUri };
