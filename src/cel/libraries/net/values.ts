import { type CelError, noSuchOverload } from '../../values/cel-error.ts';
import { CelOpaque } from '../../values/opaque.ts';
import type { Value } from '../../values/value.ts';
import { type Address, bitLength } from './address.ts';

/** An IP address as a value. */
export class CelIp extends CelOpaque {
  readonly typeName = 'net.IP';
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelIp)) return noSuchOverload;
    return other.address.family === this.address.family && other.address.bits === this.address.bits;
  }

  override size(): number {
    return bitLength(this.address.family) / 8;
  }
}

/** A network address and prefix length, as a value. */
export class CelCidr extends CelOpaque {
  readonly typeName = 'net.CIDR';
  readonly address: Address;
  readonly prefixLength: number;

  constructor(address: Address, prefixLength: number) {
    super();
    this.address = address;
    this.prefixLength = prefixLength;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelCidr)) return noSuchOverload;
    const { family, bits } = other.address;
    return (
      family === this.address.family && bits === this.address.bits && other.prefixLength === this.prefixLength
    );
  }

  /** The size of the prefix in bytes, as upstream counts it. */
  override size(): number {
    return Math.ceil(this.prefixLength / 8);
  }
}
