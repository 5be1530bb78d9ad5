/** Random gates, and the reference of their enablement. */

/** Numbers below a bound, the same for the same seed. */
export function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_769;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1_013_904_223) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}
export type Dice = ReturnType<typeof dice>;

export interface Gate {
  readonly name: string;
  readonly preRelease: string;
  readonly enabled?: boolean;
  readonly default?: boolean;
  readonly fieldPaths: readonly string[];
}

const stages = [
  { preRelease: 'alpha' },
  { preRelease: 'alpha', default: false },
  { preRelease: 'beta' },
  { preRelease: 'beta', default: false },
  { preRelease: 'stable' },
  { preRelease: 'deprecated', default: true },
  { preRelease: 'deprecated', default: false },
];

export const pick = <T>(roll: Dice, values: readonly T[]): T => values[roll(values.length)] as T;
export const randomState = (roll: Dice) => ({
  ...pick(roll, stages),
  ...pick(roll, [{}, { enabled: true }, { enabled: false }]),
});

/** Enablement: the KEP's function, and nothing counts below a gate that is off. */
function isOn(gate: Gate, gates: readonly Gate[], seen: readonly Gate[] = []): boolean {
  if (seen.includes(gate)) return true;
  const own = gate.preRelease === 'stable' || (gate.enabled ?? gate.default ?? gate.preRelease === 'beta');
  const above = gates.filter((other) =>
    other.fieldPaths.some((outer) =>
      gate.fieldPaths.some((inner) => inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)),
    ),
  );
  return own && above.every((other) => isOn(other, gates, [...seen, gate]));
}

/** The paths of the gates that are off. */
export const offPaths = (gates: readonly Gate[]) =>
  gates.filter((gate) => !isOn(gate, gates)).flatMap(({ fieldPaths }) => fieldPaths);
