/** A level's lower bound, upper bound and target of seats. */
interface SeatClaim {
  readonly lowerBound: number;
  readonly upperBound: number;
  /** At least the lower bound. */
  readonly target: number;
}

/** The minimum target, so that levels without demand can be compared. */
const targetMin = 0.001;
const halvings = 100;

/**
 * Divides seats among levels: each gets the same fraction of its target, limited by its bounds. If the bounds leave no
 * choice, all get their lower or all their upper bounds. Source: KEP-1040; apiserver, conc_alloc.go.
 */
export function allocateSeats(
  sum: number,
  claims: readonly SeatClaim[],
): { seats: number[]; fraction: number } {
  const at = (fraction: number) => claims.map((claim) => seatsAt(claim, fraction));
  const total = (fraction: number) => at(fraction).reduce((a, b) => a + b, 0);
  let high = Math.max(...claims.map(({ upperBound, target }) => upperBound / Math.max(target, targetMin)), 0);
  let low = 0;
  if (total(high) <= sum) return { seats: at(high), fraction: high };
  for (let step = 0; step < halvings; step += 1) {
    const middle = (low + high) / 2;
    if (total(middle) < sum) low = middle;
    else high = middle;
  }
  return { seats: at(low), fraction: low };
}

function seatsAt({ lowerBound, upperBound, target }: SeatClaim, fraction: number): number {
  return Math.max(lowerBound, Math.min(upperBound, fraction * Math.max(target, targetMin)));
}
