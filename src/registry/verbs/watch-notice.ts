import type { ViewEvent } from '../../cache/index.ts';
import type { Status } from '../../meta/index.ts';
import type { Representations } from '../representation/representation.ts';
import { type ResponseObject, renderEntry } from '../representation/response-object.ts';
import type { Target } from '../resource/target.ts';

/** One thing a watcher is told. */
export type WatchNotice =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly responseObject: ResponseObject;
      /** Kept with the event, for all watchers alike: what was encoded once is not encoded again. */
      readonly frames: Map<string, Uint8Array>;
    }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: Status };

/** A deleted object is shown in its last state, at the revision of its deletion. */
export function noticeOf(event: ViewEvent<Representations>, target: Target): WatchNotice {
  const responseObject = renderEntry(event.entry, target, event.revision);
  return { type: event.type, responseObject, frames: event.frames };
}
