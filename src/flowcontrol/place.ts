import type { FlowCounts } from './flow-counts.ts';
import type { RequestDigest } from './request-digest.ts';
import type { FlowQueue } from './queue-set.ts';

/** A request to a level. */
export interface SeatRequest {
  readonly digest: RequestDigest;
  readonly schemaName: string;
  readonly distinguisher: string;
  /** The number of seats it takes while it runs. */
  readonly seats: number;
  readonly counts: FlowCounts;
}

/** A request in a level: waiting, running or finished. */
export class Place {
  readonly request: SeatRequest;
  readonly arrivedMs: number;
  /** The progress of the level on arrival. */
  readonly arrivalR: number;
  /** Undefined in a level without queues. */
  readonly queue: FlowQueue | undefined;
  startedMs: number | undefined;
  /** Called once with the decision, if the request had to wait. */
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
