import { ConnectionDropped } from '../../http/index.ts';
import { allVerbs, type FaultKind, verbsOfStream } from '../fault-kind.ts';

/** The connection breaks: before the request is looked at, after it was carried out, or in the middle of a watch. */
export interface DropFault {
  readonly fault: 'drop';
  /** `after`: the work is done, and the client never hears of it. `before` where it is left out. */
  readonly when?: 'before' | 'after';
  /** For watches: the stream breaks after so many events. Left out, the watch gets no answer at all. */
  readonly afterEvents?: number;
  /** Watches that are open already break too. */
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
