import { isIP } from 'node:net';

/**
 * Says for a port without TLS whether a request names this server as its host. A page of a foreign site can make its own
 * name lead to 127.0.0.1, and would then reach the server with the rights of a local program; its name still stands
 * in the request (DNS rebinding). Addresses, `localhost` and the names given are this server.
 */
export class PlainHosts {
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  /** `host` is the header: a name or an address, with or without a port. Programs of HTTP/1.0 send none. */
  includes(host: string | undefined): boolean {
    if (host === undefined) return true;
    const name = host.replace(/:\d*$/, '').toLowerCase();
    const address = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
    return (
      isIP(address) !== 0 || name === 'localhost' || name.endsWith('.localhost') || this.#names.has(name)
    );
  }
}
