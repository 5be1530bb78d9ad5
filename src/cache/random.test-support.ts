import { seededRandom } from '../meta/index.ts';

/** Pseudo-random choices, the same in every run. */
export function randomFrom(seed: number) {
  const random = seededRandom(seed);
  const below = (limit: number): number => (random() * 2 ** 32) % limit;
  const of = <const T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0];
  return { below, of };
}
export type Random = ReturnType<typeof randomFrom>;
