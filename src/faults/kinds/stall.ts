import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionDropped } from '../../http/index.ts';
import { untilAnyAborts } from '../../meta/index.ts';
import { allVerbs, type FaultKind, verbsOfStream } from '../fault-kind.ts';
import type { OpenWatch } from '../open-watch.ts';

/** Keeps the connection open and sends nothing: no answer, or no further events of a watch. */
export interface StallFault {
  readonly fault: 'stall';
  /** Continues after this time; if absent, when the rule is removed. */
  readonly forMs?: number;
  /** A watch first sends this many events. */
  readonly afterEvents?: number;
  /** Also applies to watches that are already open. */
  readonly open?: boolean;
}

const forMsMax = 3_600_000;

export const stallKind: FaultKind = {
  name: 'stall',
  verbs: allVerbs,
  usualVerbs: verbsOfStream,
  read(reader) {
    const forMs = reader.number('forMs', { min: 0, max: forMsMax }, undefined);
    const afterEvents = reader.number('afterEvents', { min: 0, integer: true }, 0);
    const open = reader.flag('open');
    const stall = (watch: OpenWatch, removed: AbortSignal) => {
      const until = () => over(forMs, [removed, watch.request.http.signal]);
      watch.interrupt({ kind: 'stall', until, afterEvents });
    };
    return {
      async act({ request, next, removed, watch }) {
        if (watch !== undefined) stall(watch, removed);
        else await over(forMs, [removed, request.http.signal]);
        // A client that gave up is not served.
        if (request.http.signal.aborted) throw new ConnectionDropped();
        return next();
      },
      ...(open && { actOnOpenWatch: stall }),
    };
  },
};

/** Resolves after a time, or with the first of the signals. */
function over(forMs: number | undefined, signals: readonly AbortSignal[]): Promise<void> {
  return untilAnyAborts(signals, async (signal) => {
    if (forMs !== undefined) await sleep(forMs, undefined, { signal, ref: false }).catch(() => {});
    else if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
  });
}
