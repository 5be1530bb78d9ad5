import type { Reservation } from '../../kinds/index.ts';
import type { Precondition } from '../../storage/index.ts';
import type { Target } from './target.ts';

/** What must hold for a write besides its own key: the state that it was computed from, and what it has claimed. */
export function preconditionsOf(
  { freshness }: Target,
  reservation: Reservation | undefined,
): readonly Precondition[] | undefined {
  if (reservation === undefined || reservation.claims.length === 0) return freshness.preconditions;
  return [...(freshness.preconditions ?? []), ...reservation.claims];
}
