import type { LevelState } from './level-state.ts';
import { allocateSeats } from './seat-allocation.ts';

/**
 * Lends seats that levels did not need recently to those that needed more.
 *
 * @returns the fraction of its target that each level gets, 0 if the seats do not even cover the lower bounds
 */
export function borrowSeats(levels: readonly LevelState[], nowMs: number): number {
  for (const level of levels) level.takeDemand(nowMs);
  const limited = levels.filter(({ config }) => !config.exempt);
  const exempt = levels.filter(({ config }) => config.exempt);
  const nominal = sum(levels, ({ range }) => range.nominal);
  for (const level of exempt) level.setLimit(neededBy(level), nowMs);
  const left = nominal - sum(exempt, neededBy);
  const kept = sum(limited, ({ range }) => range.lower);
  const needed = sum(limited, neededBy);
  if (left <= kept) return setAll(limited, ({ range }) => range.lower, nowMs);
  if (left <= needed) {
    const part = (left - kept) / (needed - kept);
    return setAll(
      limited,
      (level) => level.range.lower + (neededBy(level) - level.range.lower) * part,
      nowMs,
    );
  }
  const claims = limited.map((level) => {
    level.target = Math.max(neededBy(level), level.smoothed);
    return { lowerBound: neededBy(level), upperBound: level.range.upper, target: level.target };
  });
  const { seats, fraction } = allocateSeats(nominal, claims);
  for (const [at, level] of limited.entries()) level.setLimit(Math.round(seats[at] ?? 0), nowMs);
  return fraction;
}

/** The seats that a level does not lend: what it used recently, within its own seats. */
function neededBy({ range, demand, config }: LevelState): number {
  const { highWatermark } = demand;
  return Math.max(range.lower, config.exempt ? highWatermark : Math.min(range.nominal, highWatermark));
}

function setAll(
  levels: readonly LevelState[],
  seatsOf: (level: LevelState) => number,
  nowMs: number,
): number {
  for (const level of levels) level.setLimit(Math.round(seatsOf(level)), nowMs);
  return 0;
}

function sum(levels: readonly LevelState[], number: (level: LevelState) => number): number {
  return levels.reduce((total, level) => total + number(level), 0);
}
