/** What a level must, may and should have of seats. */
interface SeatClaim {
  readonly lowerBound: number;
  readonly upperBound: number;
  /** Not below the lower bound. */
  readonly target: number;
}

/** A level that wants nothing counts for so much, so that all can be compared. */
const targetMin = 0.001;
const halvings = 100;

/**
 * Divides seats among levels: each gets the same fraction of its target, or the bound that this would break. Where the
 * bounds leave no choice, all get their lower or their upper ones. Source: KEP-1040; apiserver, conc_alloc.go.
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
