import type { Steps } from './steps.ts';

/** So many texts are sorted, or merged, in one step. */
const runLength = 1_024;

/** Sorts texts in steps: sorted runs that are merged. Gives a new array; equal texts keep their order. */
export function* sortInSteps(
  texts: readonly string[],
  compare: (left: string, right: string) => number,
): Steps<string[]> {
  const runs: string[][] = [];
  for (let at = 0; at < texts.length; at += runLength) {
    if (at > 0) yield;
    runs.push(texts.slice(at, at + runLength).sort(compare));
  }
  for (let width = runs.length; width > 1; width = runs.length) {
    const pairs = runs.splice(0, width);
    for (let at = 0; at < width; at += 2) {
      runs.push(yield* merged(pairs[at] ?? [], pairs[at + 1] ?? [], compare));
    }
  }
  return runs[0] ?? [];
}

function* merged(
  left: string[],
  right: string[],
  compare: (left: string, right: string) => number,
): Steps<string[]> {
  if (right.length === 0) return left;
  const all: string[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (fromLeft < left.length && fromRight < right.length) {
    const [a = '', b = ''] = [left[fromLeft], right[fromRight]];
    if (compare(a, b) <= 0) {
      all.push(a);
      fromLeft += 1;
    } else {
      all.push(b);
      fromRight += 1;
    }
    if (all.length % runLength === 0) yield;
  }
  for (; fromLeft < left.length; fromLeft += 1) all.push(left[fromLeft] ?? '');
  for (; fromRight < right.length; fromRight += 1) all.push(right[fromRight] ?? '');
  return all;
}
