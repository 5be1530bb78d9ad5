import type {
  Classified,
  FlowController,
  FlowHeaders,
  Place,
  RequestDigest,
  Work,
  WorkEstimator,
} from '../../flowcontrol/index.ts';
import { limits, type Timers } from '../../meta/index.ts';
import type { KnownRequest } from '../filter.ts';
import { tooManyRequests } from '../too-many-requests.ts';
import type { Admission, OverloadGate, Rejection } from './overload-gate.ts';

interface FairnessGateOptions {
  readonly controller: FlowController;
  readonly estimator: WorkEstimator;
  /** The thread's CPU time in milliseconds. */
  readonly workMs: () => number;
  readonly timers: Timers;
  /** Called with a flow whose requests are rejected. */
  readonly onPushedBack?: (schemaName: string, distinguisher: string) => void;
}

/**
 * Priority and fairness: classifies each request, and queues it by flow while its level has no seats. Watches take
 * seats until they have started. Source: apiserver, server/filters/priority-and-fairness.go.
 */
export class FairnessGate implements OverloadGate {
  readonly #options: FairnessGateOptions;

  constructor(options: FairnessGateOptions) {
    this.#options = options;
  }

  enter(request: KnownRequest): Admission | Rejection | Promise<Admission | Rejection> {
    const { controller, estimator } = this.#options;
    const digest = digestOf(request);
    const classified = controller.classify(digest);
    const { level } = classified;
    const work = level.config.exempt
      ? undefined
      : estimator.workOf(request.verb ?? 'other', digest.resource, sizeOf(request));
    const place = controller.enter(digest, classified, work?.seats(level.requestSeatsMax) ?? 1);
    if (typeof place === 'string') return this.#rejected(classified);
    const entered = { place, classified, work };
    return place.isExecuting ? this.#admitted(entered) : this.#queued(request, entered);
  }

  /** Waits until the request may run, its client disconnects, or the maximum wait is over. */
  #queued(request: KnownRequest, entered: Entered): Promise<Admission | Rejection> {
    const { controller, timers } = this.#options;
    const { place, classified } = entered;
    const { signal } = request.http;
    return new Promise((resolve) => {
      const giveUp = (reason: 'time-out' | 'cancelled') => controller.giveUp(classified, place, reason);
      const onGone = () => giveUp('cancelled');
      const stopTimer = timers.after(limits.queueWaitMsMax, () => giveUp('time-out'));
      signal.addEventListener('abort', onGone, { once: true });
      place.onDecided = (execute) => {
        stopTimer();
        signal.removeEventListener('abort', onGone);
        resolve(execute ? this.#admitted(entered) : this.#rejected(classified));
      };
      if (signal.aborted) onGone();
    });
  }

  #admitted({ place, classified, work }: Entered): Admission {
    const { controller, workMs } = this.#options;
    const measuring = work?.isMeasured() === true ? new Measuring(work, classified, workMs) : undefined;
    return new Seat(controller, { place, classified, measuring });
  }

  #rejected(classified: Classified): Rejection {
    const { schema, level, distinguisher } = classified;
    this.#options.onPushedBack?.(schema.name, distinguisher);
    return { response: tooManyRequests(level.dropped.retryAfterSeconds), headers: classified.headers };
  }
}

/** A request accepted by a level. */
interface Entered {
  readonly place: Place;
  readonly classified: Classified;
  /** Undefined if its work is not measured. */
  readonly work: Work | undefined;
}

/** An admitted request. */
class Seat implements Admission {
  readonly headers: FlowHeaders;
  readonly #controller: FlowController;
  readonly #parts: SeatParts;
  #left = false;

  constructor(controller: FlowController, parts: SeatParts) {
    this.headers = parts.classified.headers;
    this.#controller = controller;
    this.#parts = parts;
  }

  leave(): void {
    if (this.#left) return;
    this.#left = true;
    const { place, classified, measuring } = this.#parts;
    measuring?.end();
    this.#controller.leave(classified, place);
  }
}

interface SeatParts extends Omit<Entered, 'work'> {
  readonly measuring: Measuring | undefined;
}

/** Measures the CPU time of one request. Running requests share the thread: the time is divided among them. */
class Measuring {
  readonly #work: Work;
  readonly #classified: Classified;
  readonly #workMs: () => number;
  readonly #startedMs: number;
  readonly #runningAtStart: number;

  constructor(work: Work, classified: Classified, workMs: () => number) {
    this.#work = work;
    this.#classified = classified;
    this.#workMs = workMs;
    this.#startedMs = workMs();
    this.#runningAtStart = classified.level.queueSet.executing;
  }

  end(): void {
    const together = Math.max(1, (this.#runningAtStart + this.#classified.level.queueSet.executing) / 2);
    this.#work.learn((this.#workMs() - this.#startedMs) / together);
  }
}

/** The limit of a list, or the size of a body. */
function sizeOf({ http, verb }: KnownRequest): number {
  if (verb === 'get') return 0;
  const text = verb === 'list' ? http.query.get('limit') : http.header('content-length');
  return Number(text ?? 0) || 0;
}

function digestOf({ http, user, path, verb }: KnownRequest): RequestDigest {
  const method = verb ?? http.method.toLowerCase();
  const resource = path === undefined || path.resource === '' ? undefined : path;
  return { user, verb: method, path: http.path, resource };
}
