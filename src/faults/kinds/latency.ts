import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionDropped } from '../../http/index.ts';
import { untilAnyAborts } from '../../meta/index.ts';
import { allVerbs, type FaultKind } from '../fault-kind.ts';

/** Delays the request before it is handled. */
export interface LatencyFault {
  readonly fault: 'latency';
  readonly delayMs: number;
  /** Up to this much more, at random. */
  readonly jitterMs?: number;
}

const delayMsMax = 3_600_000;

export const latencyKind: FaultKind = {
  name: 'latency',
  verbs: allVerbs,
  read(reader) {
    const delayMs = reader.requiredNumber('delayMs', { min: 0, max: delayMsMax });
    const jitterMs = reader.number('jitterMs', { min: 0, max: delayMsMax }, 0);
    return {
      async act({ request, next, random, removed }) {
        const waitMs = delayMs + random() * jitterMs;
        await untilAnyAborts([removed, request.http.signal], (signal) =>
          sleep(waitMs, undefined, { signal, ref: false }).catch(() => {}),
        );
        // A client that gave up is not served.
        if (request.http.signal.aborted) throw new ConnectionDropped();
        return next();
      },
    };
  },
};
