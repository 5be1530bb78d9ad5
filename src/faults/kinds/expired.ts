import { expiredError, type StatusError } from '../../meta/index.ts';
import type { KnownRequest } from '../../http/index.ts';
import type { FaultKind } from '../fault-kind.ts';

/**
 * Answers 410, as if the requested revision was compacted: the client must list again. A watch gets an event, as
 * upstream.
 */
export interface ExpiredFault {
  readonly fault: 'expired';
  /** A watch first sends this many events. */
  readonly afterEvents?: number;
  /** Also affects watches that are already open. */
  readonly open?: boolean;
}

export const expiredKind: FaultKind = {
  name: 'expired',
  verbs: ['watch', 'list'],
  usualVerbs: () => ['watch'],
  read(reader) {
    const afterEvents = reader.number('afterEvents', { min: 0, integer: true }, 0);
    const open = reader.flag('open');
    return {
      async act({ request, next, watch }) {
        if (watch === undefined) throw tooOld(request);
        watch.interrupt({ kind: 'end', frame: errorFrame(tooOld(request)), afterEvents });
        return next();
      },
      ...(open && {
        actOnOpenWatch: (watch) =>
          watch.interrupt({ kind: 'end', frame: errorFrame(tooOld(watch.request)), afterEvents }),
      }),
    };
  },
};

function tooOld({ http }: KnownRequest): StatusError {
  const asked = Number(http.query.get('resourceVersion') ?? 0);
  const requested = Number.isSafeInteger(asked) ? asked : 0;
  return expiredError(`too old resource version: ${requested} (${requested + 1})`);
}

function errorFrame({ status }: StatusError): Uint8Array {
  return Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
}
