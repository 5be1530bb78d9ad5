import { expiredError, type StatusError } from '../../meta/index.ts';
import type { KnownRequest } from '../../http/index.ts';
import type { FaultKind } from '../fault-kind.ts';

/**
 * The past that the client asks for is forgotten: 410, and the client must list again. A watch is told by an event, as
 * upstream does it.
 */
export interface ExpiredFault {
  readonly fault: 'expired';
  /** A watch sends so many events first. */
  readonly afterEvents?: number;
  /** Watches that are open already are told too. */
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
