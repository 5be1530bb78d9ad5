import type { FlowCounts } from './flow-counts.ts';
import type { RequestDigest } from './request-digest.ts';
import type { FlowQueue } from './queue-set.ts';

/** What a request asks of a level. */
export interface SeatRequest {
  readonly digest: RequestDigest;
  readonly schemaName: string;
  readonly distinguisher: string;
  /** How many seats it takes while it runs. */
  readonly seats: number;
  readonly counts: FlowCounts;
}

/** A request in a level: it waits, it runs, it is gone. */
export class Place {
  readonly request: SeatRequest;
  readonly arrivedMs: number;
  /** The progress of the level when it came. */
  readonly arrivalR: number;
  /** Undefined in a level without queues. */
  readonly queue: FlowQueue | undefined;
  startedMs: number | undefined;
  /** Told once whether it may run, if it had to wait. */
  onDecided: ((execute: boolean) => void) | undefined;

  constructor(parts: Pick<Place, 'request' | 'arrivedMs' | 'arrivalR' | 'queue'>) {
    this.request = parts.request;
    this.arrivedMs = parts.arrivedMs;
    this.arrivalR = parts.arrivalR;
    this.queue = parts.queue;
  }

  get isExecuting(): boolean {
    return this.startedMs !== undefined;
  }

  get seats(): number {
    return this.request.seats;
  }
}
