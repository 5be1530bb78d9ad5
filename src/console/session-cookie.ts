/** The address of the console. */
export interface ConsoleAddress {
  /** `https://127.0.0.1:6443`; empty without a listener. */
  readonly url: string;
}

/**
 * Browsers send cookies to all ports of a host, so the name contains the port: two servers on one machine do not end
 * each other's sessions. Over TLS, the prefix prevents other hosts of the domain, and plain HTTP, from setting it.
 * Source: RFC 6265bis, 4.1.3 (the `__Host-` prefix).
 */
function cookieName({ url }: ConsoleAddress, name = ''): string {
  const port = /:(\d+)$/.exec(url)?.[1] ?? '';
  return `${isSecure(url) ? '__Host-' : ''}ilk-console-${name === '' ? '' : `${name}-`}${port}`;
}

/** The header that sets a cookie, or deletes it with an age of 0. */
export function setCookie(
  address: ConsoleAddress,
  value: string,
  { name = '', ageSeconds, site = 'Strict' }: CookieOptions,
): string {
  const secure = isSecure(address.url) ? '; Secure' : '';
  return `${cookieName(address, name)}=${value}; Path=/; Max-Age=${ageSeconds}; HttpOnly; SameSite=${site}${secure}`;
}

interface CookieOptions {
  /** Empty for the cookie of the session. */
  readonly name?: string;
  readonly ageSeconds: number;
  readonly site?: 'Strict' | 'Lax';
}

/** The session ID in a `Cookie` header, or another cookie of the console, if any. */
export function cookieIn(header: string | undefined, address: ConsoleAddress, name = ''): string | undefined {
  const prefix = `${cookieName(address, name)}=`;
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return found?.slice(prefix.length);
}

function isSecure(url: string): boolean {
  return url.startsWith('https:');
}
