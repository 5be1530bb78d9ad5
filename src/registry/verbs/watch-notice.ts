import type { ViewEvent } from '../../cache/index.ts';
import type { Status } from '../../meta/index.ts';
import type { Representations } from '../representation/representation.ts';
import { type ResponseObject, renderEntry } from '../representation/response-object.ts';
import type { Target } from '../resource/target.ts';

/** One message to a watcher. */
export type WatchNotice =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly responseObject: ResponseObject;
      /** Shared by all watchers of the event: encoded once. */
      readonly frames: Map<string, Uint8Array>;
    }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: Status };

/** A deleted object is returned in its last state, with the revision of its deletion. */
export function noticeOf(event: ViewEvent<Representations>, target: Target): WatchNotice {
  const responseObject = renderEntry(event.entry, target, event.revision);
  return { type: event.type, responseObject, frames: event.frames };
}
