/** A uint64. */
export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** The largest uint64. */
export const maxUint = 0xffff_ffff_ffff_ffffn;
