/** Code points as sorted, disjoint, non-abutting ranges: lo, hi, lo, hi, ... both ends included. */
export type CharClass = readonly number[];

export const maxCodePoint = 0x10ffff;
export const anyChar: CharClass = [0, maxCodePoint];
export const anyCharButNewline: CharClass = [0, 0x09, 0x0b, maxCodePoint];
/** The characters of `\w` and `\b`: ASCII only, as in RE2. */
export const wordChars: CharClass = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** Sorts and merges pairs. */
export function charClass(pairs: readonly number[]): CharClass {
  const order = Array.from({ length: pairs.length / 2 }, (_, index) => index * 2);
  order.sort((a, b) => at(pairs, a) - at(pairs, b));
  const merged: number[] = [];
  for (const index of order) {
    const lo = at(pairs, index);
    const hi = at(pairs, index + 1);
    const last = merged.length - 1;
    if (last > 0 && lo <= at(merged, last) + 1) merged[last] = Math.max(at(merged, last), hi);
    else merged.push(lo, hi);
  }
  return merged;
}

/** The complement of a class. */
export function negate(of: CharClass): CharClass {
  const result: number[] = [];
  let next = 0;
  for (let index = 0; index < of.length; index += 2) {
    if (next < at(of, index)) result.push(next, at(of, index) - 1);
    next = at(of, index + 1) + 1;
  }
  if (next <= maxCodePoint) result.push(next, maxCodePoint);
  return result;
}

/** True where the class has the code point. */
export function includes(of: CharClass, codePoint: number): boolean {
  let low = 0;
  let high = of.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < at(of, middle * 2)) high = middle - 1;
    else if (codePoint > at(of, middle * 2 + 1)) low = middle + 1;
    else return true;
  }
  return false;
}

const at = (list: readonly number[], index: number): number => list[index] ?? 0;
