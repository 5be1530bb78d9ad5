import { ConnectionDropped } from '../../http/index.ts';
import { allVerbs, type FaultKind, verbsOfStream } from '../fault-kind.ts';

/** Drops the connection: before the request is handled, after it was handled, or in the middle of a watch. */
export interface DropFault {
  readonly fault: 'drop';
  /** `after`: the request is handled, but the client gets no answer. Defaults to `before`. */
  readonly when?: 'before' | 'after';
  /** For watches: drops the stream after this many events. If absent, the watch gets no answer. */
  readonly afterEvents?: number;
  /** Also drops watches that are already open. */
  readonly open?: boolean;
}

export const dropKind: FaultKind = {
  name: 'drop',
  verbs: allVerbs,
  usualVerbs: verbsOfStream,
  read(reader) {
    const when = reader.choice('when', ['before', 'after']);
    const afterEvents = reader.number('afterEvents', { min: 0, integer: true }, undefined);
    const open = reader.flag('open');
    return {
      async act({ next, watch }) {
        if (watch !== undefined && afterEvents !== undefined) {
          watch.interrupt({ kind: 'drop', afterEvents });
          return next();
        }
        if (when === 'after' && watch === undefined) await next();
        throw new ConnectionDropped();
      },
      ...(open && {
        actOnOpenWatch: (watch) => watch.interrupt({ kind: 'drop', afterEvents: afterEvents ?? 0 }),
      }),
    };
  },
};
