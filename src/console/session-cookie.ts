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
export function cookieName({ url }: ConsoleAddress): string {
  const port = /:(\d+)$/.exec(url)?.[1] ?? '';
  return `${isSecure(url) ? '__Host-' : ''}ilk-console-${port}`;
}

/** The header that sets the session cookie, or deletes it with an age of 0. */
export function setCookie(address: ConsoleAddress, id: string, ageSeconds: number): string {
  const secure = isSecure(address.url) ? '; Secure' : '';
  return `${cookieName(address)}=${id}; Path=/; Max-Age=${ageSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** The session ID in a `Cookie` header, if any. */
export function sessionIdIn(header: string | undefined, address: ConsoleAddress): string | undefined {
  const prefix = `${cookieName(address)}=`;
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return found?.slice(prefix.length);
}

function isSecure(url: string): boolean {
  return url.startsWith('https:');
}
