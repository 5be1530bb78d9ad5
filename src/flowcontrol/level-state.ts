import { DroppedRequests } from './dropped-requests.ts';
import type { PriorityLevel } from './priority-level.ts';
import { QueueSet } from './queue-set.ts';
import { type SeatDemand, smoothedDemand } from './seat-demand.ts';

/** The configured seats of a level. */
interface SeatRange {
  readonly nominal: number;
  /** The seats that it never lends. */
  readonly lower: number;
  readonly upper: number;
}

const noDemand: SeatDemand = Object.freeze({ average: 0, deviation: 0, highWatermark: 0 });

/** A priority level at run time. */
export class LevelState {
  config: PriorityLevel;
  range: SeatRange;
  readonly queueSet: QueueSet;
  readonly dropped = new DroppedRequests();
  demand: SeatDemand = noDemand;
  smoothed = 0;
  /** The target of the last adjustment. */
  target = 0;

  constructor(config: PriorityLevel, range: SeatRange, nowMs: number) {
    this.config = config;
    this.range = range;
    // Until the demand is known: halfway between its minimum and its nominal seats.
    const limit = range.nominal - Math.floor((range.nominal - range.lower) / 2);
    this.queueSet = new QueueSet({ exempt: config.exempt, queuing: config.queuing, limit, nowMs });
  }

  /** The maximum seats of one request. Source: apiserver, priorityLevelMaxSeatsPercent. */
  get requestSeatsMax(): number {
    const { queuing } = this.config;
    const { nominal } = this.range;
    if (queuing === undefined) return requestSeatsLimit;
    const part = Math.min(Math.ceil(nominal * 0.15), Math.floor(nominal / queuing.handSize));
    return Math.min(requestSeatsLimit, Math.max(1, part));
  }

  configure(config: PriorityLevel, range: SeatRange, nowMs: number): void {
    this.config = config;
    this.range = range;
    this.setLimit(this.queueSet.limit, nowMs);
  }

  setLimit(limit: number, nowMs: number): void {
    const { exempt, queuing } = this.config;
    this.queueSet.configure({ exempt, queuing, limit }, nowMs);
  }

  /** Ends an adjustment period. */
  takeDemand(nowMs: number): void {
    this.demand = this.queueSet.demand.reset(nowMs);
    this.smoothed = smoothedDemand(this.smoothed, this.demand);
  }
}

const requestSeatsLimit = 10;

/** Divides the server's seats among levels by their shares. Source: KEP-1040. */
export function seatRanges(levels: readonly PriorityLevel[], seats: number): ReadonlyMap<string, SeatRange> {
  const shares = Math.max(
    1,
    levels.reduce((sum, level) => sum + level.shares, 0),
  );
  return new Map(levels.map((level) => [level.name, rangeOf(level, shares, seats)]));
}

function rangeOf(level: PriorityLevel, shares: number, seats: number): SeatRange {
  const nominal = Math.ceil((seats * level.shares) / shares);
  const lendable = Math.round((nominal * level.lendablePercent) / 100);
  const borrowing =
    level.borrowingLimitPercent === undefined
      ? seats
      : Math.round((nominal * level.borrowingLimitPercent) / 100);
  return { nominal, lower: nominal - lendable, upper: nominal + borrowing };
}
