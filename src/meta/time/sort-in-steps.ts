import type { Steps } from './steps.ts';

/** The number of texts that one step sorts or merges: some tenths of a millisecond. */
const runLength = 1024;

/**
 * Sorts texts in steps: runs of them, then pairs of sorted runs until one is left. Gives a new array; equal texts keep
 * their order. Sorting 30,000 keys at once takes 8 ms.
 *
 * @param compare code units by default, as in `Array.prototype.sort`
 */
export function* sortInSteps(
  texts: readonly string[],
  compare: (a: string, b: string) => number = compareUnits,
): Steps<string[]> {
  let runs: string[][] = [];
  for (let from = 0; from < texts.length; from += runLength) {
    runs.push(texts.slice(from, from + runLength).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(
  left: readonly string[],
  right: readonly string[],
  compare: (a: string, b: string) => number,
): Steps<string[]> {
  const merged: string[] = [];
  let [atLeft, atRight] = [0, 0];
  while (merged.length < left.length + right.length) {
    const [a, b] = [left[atLeft], right[atRight]];
    if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
      if (a !== undefined) merged.push(a);
      atLeft += 1;
    } else {
      merged.push(b);
      atRight += 1;
    }
    if (merged.length % runLength === 0) yield;
  }
  return merged;
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
