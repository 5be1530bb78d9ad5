/** The largest uint64: the bound of cel-go's saturating arithmetic, and "no known limit". */
export const unlimited = 0xffff_ffff_ffff_ffffn;

/** A range of sizes or of costs. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

export const unknownSize: Range = { min: 0n, max: unlimited };

export function fixed(value: bigint | number): Range {
  const exact = BigInt(value);
  return { min: exact, max: exact };
}

export const zero: Range = fixed(0n);
export const one: Range = fixed(1n);

export function saturate(value: bigint): bigint {
  return value > unlimited ? unlimited : value;
}

export function add(...ranges: readonly Range[]): Range {
  let min = 0n;
  let max = 0n;
  for (const range of ranges) {
    min += range.min;
    max += range.max;
  }
  return { min: saturate(min), max: saturate(max) };
}

export function multiply(left: Range, right: Range): Range {
  return { min: saturate(left.min * right.min), max: saturate(left.max * right.max) };
}

/** Multiplies by a factor and rounds each bound up: cel-go computes it in doubles. */
export function scale(range: Range, factor: number): Range {
  return { min: scaleBound(range.min, factor), max: scaleBound(range.max, factor) };
}

function scaleBound(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? unlimited : BigInt(product);
}

export function union(left: Range, right: Range): Range {
  return { min: smaller(left.min, right.min), max: larger(left.max, right.max) };
}

/** Math.min does not support bigints. */
export function smaller(left: bigint, right: bigint): bigint {
  if (left < right) return left;
  return right;
}

function larger(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}
