import type { Reservation } from '../../kinds/index.ts';
import type { Precondition } from '../../storage/index.ts';
import type { Target } from './target.ts';

/** The conditions of a commit besides its own key: the state that the write was computed from, and its claims. */
export function preconditionsOf(
  { freshness }: Target,
  reservation: Reservation | undefined,
): readonly Precondition[] | undefined {
  if (reservation === undefined || reservation.claims.length === 0) return freshness.preconditions;
  return [...(freshness.preconditions ?? []), ...reservation.claims];
}
