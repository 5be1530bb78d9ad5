import type {
  Classified,
  FlowController,
  Place,
  RequestDigest,
  Work,
  WorkEstimator,
} from '../../flowcontrol/index.ts';
import { limits, type Timers } from '../../meta/index.ts';
import type { KnownRequest } from '../filter.ts';
import type { IsServed } from '../metrics/index.ts';
import { tooManyRequests } from '../too-many-requests.ts';
import type { Admission, OverloadGate, Rejection } from './overload-gate.ts';

interface FairnessGateOptions {
  readonly controller: FlowController;
  readonly estimator: WorkEstimator;
  /** The thread's CPU time in milliseconds. */
  readonly workMs: () => number;
  readonly timers: Timers;
  /** Work is only classified by kind for resources that the server has. */
  readonly isServed: IsServed;
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
    const { controller } = this.#options;
    const digest = digestOf(request);
    const classified = controller.classify(digest);
    const { level } = classified;
    const work = level.config.exempt ? undefined : this.#workOf(request);
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
    const { controller } = this.#options;
    const learn = work?.isMeasured() === true ? this.#measure(work, classified) : undefined;
    let left = false;
    return {
      headers: headersOf(classified),
      leave() {
        if (left) return;
        left = true;
        learn?.();
        controller.leave(classified, place);
      },
    };
  }

  /** Running requests share the thread: the time is divided among them. */
  #measure(work: Work, { level }: Classified): () => void {
    const { workMs } = this.#options;
    const startedMs = workMs();
    const atStart = level.queueSet.executing;
    return () => {
      const together = Math.max(1, (atStart + level.queueSet.executing) / 2);
      work.learn((workMs() - startedMs) / together);
    };
  }

  #rejected(classified: Classified): Rejection {
    const { schema, level, distinguisher } = classified;
    this.#options.onPushedBack?.(schema.name, distinguisher);
    const response = tooManyRequests(level.dropped.retryAfterSeconds);
    return { response: { ...response, headers: { ...response.headers, ...headersOf(classified) } } };
  }

  #workOf({ http, path, verb }: KnownRequest): Work {
    const kind = {
      verb: verb ?? 'other',
      group: path?.group ?? '',
      resource: path?.resource ?? '',
      size: verb === 'get' ? 0 : sizeOf(http, verb),
    };
    return this.#options.estimator.workOf(
      kind,
      () => path !== undefined && path.resource !== '' && this.#options.isServed(path),
    );
  }
}

/** A request accepted by a level. */
interface Entered {
  readonly place: Place;
  readonly classified: Classified;
  /** Undefined if its work is not measured. */
  readonly work: Work | undefined;
}

/** The limit of a list, or the size of a body. */
function sizeOf(http: KnownRequest['http'], verb: KnownRequest['verb']): number {
  const text = verb === 'list' ? http.query.get('limit') : http.header('content-length');
  return Number(text ?? 0) || 0;
}

function digestOf({ http, user, path, verb }: KnownRequest): RequestDigest {
  const method = verb ?? http.method.toLowerCase();
  const resource = path === undefined || path.resource === '' ? undefined : path;
  return { user, verb: method, path: http.path, resource };
}

/** UIDs instead of names, so that clients do not learn their priority. */
function headersOf({ schema, level }: Classified): Readonly<Record<string, string>> {
  return {
    'x-kubernetes-pf-flowschema-uid': schema.uid,
    'x-kubernetes-pf-prioritylevel-uid': level.config.uid,
  };
}
