import type { FlowCounts } from './flow-counts.ts';
import type { FlowQueue } from './queue-set.ts';
import type { RequestDigest } from './request-digest.ts';

/** The requests of a schema with the same distinguisher. They share one object, made for the first of them. */
export interface Flow {
  readonly schemaName: string;
  readonly distinguisher: string;
  readonly counts: FlowCounts;
  /** The queues that its requests may wait in; empty for a level without queues. */
  readonly hand: readonly number[];
}

/** A request in a level: waiting, running or finished. */
export class Place {
  readonly flow: Flow;
  readonly digest: RequestDigest;
  /** The number of seats it takes while it runs. */
  readonly seats: number;
  readonly arrivedMs: number;
  /** The progress of the level on arrival. */
  readonly arrivalR: number;
  /** Undefined in a level without queues. */
  readonly queue: FlowQueue | undefined;
  startedMs: number | undefined;
  /** Its index among the running requests of its queue or level. */
  runningAt = -1;
  /** Called once with the decision, if the request had to wait. */
  onDecided: ((execute: boolean) => void) | undefined;

  constructor(parts: Pick<Place, 'flow' | 'digest' | 'seats' | 'arrivedMs' | 'arrivalR' | 'queue'>) {
    this.flow = parts.flow;
    this.digest = parts.digest;
    this.seats = parts.seats;
    this.arrivedMs = parts.arrivedMs;
    this.arrivalR = parts.arrivalR;
    this.queue = parts.queue;
    this.startedMs = undefined;
    this.onDecided = undefined;
  }

  get isExecuting(): boolean {
    return this.startedMs !== undefined;
  }
}
