/** Numbers that look random and are the same in every run (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  const of = <const T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0];
  return { below, of };
}
export type Random = ReturnType<typeof randomFrom>;
