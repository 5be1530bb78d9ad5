import { isIPv4 } from 'node:net';

/** A range that is none, in one sentence. */
export class AddressRangeError extends Error {
  override readonly name = 'AddressRangeError';
}

/** Addresses for services, in the notation of `--service-cluster-ip-range`: `10.96.0.0/12`. */
export class AddressRange {
  readonly text: string;
  readonly #first: number;
  readonly #size: number;

  /** @throws {AddressRangeError} if it is not a range of IPv4 addresses */
  constructor(text: string) {
    const [address = '', prefix = ''] = text.split('/');
    const bits = /^\d{1,2}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (!isIPv4(address) || !(bits >= 1 && bits <= 30)) {
      throw new AddressRangeError(
        `${JSON.stringify(text)} is no range of IPv4 addresses such as "10.96.0.0/12"`,
      );
    }
    this.#size = 2 ** (32 - bits);
    this.#first = Math.floor(numberOf(address) / this.#size) * this.#size;
    this.text = `${addressOf(this.#first)}/${bits}`;
  }

  /** The first one, which is that of the API itself. */
  get first(): string {
    return addressOf(this.#first + 1);
  }

  has(address: string): boolean {
    const place = isIPv4(address) ? numberOf(address) - this.#first : 0;
    return place > 0 && place < this.#size - 1;
  }

  /** Every address except the network and broadcast addresses, starting at a pseudorandom one. */
  *from(start: number): Generator<string> {
    const count = this.#size - 2;
    for (let step = 0; step < count; step += 1) yield addressOf(this.#first + 1 + ((start + step) % count));
  }
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function addressOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
