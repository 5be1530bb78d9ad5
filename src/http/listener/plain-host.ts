import { isIP } from 'node:net';

/**
 * Checks on a plain HTTP port that the Host header names this server. A page of another site can let its name resolve
 * to 127.0.0.1, and would then have the rights of a local program; its name remains in the Host header (DNS rebinding).
 * Addresses, `localhost` and the given names are accepted.
 */
export class PlainHosts {
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  /** `host` is the header: a name or an address, with or without a port. HTTP/1.0 clients send none. */
  includes(host: string | undefined): boolean {
    if (host === undefined) return true;
    const name = host.replace(/:\d*$/, '').toLowerCase();
    const address = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
    return (
      isIP(address) !== 0 || name === 'localhost' || name.endsWith('.localhost') || this.#names.has(name)
    );
  }
}
