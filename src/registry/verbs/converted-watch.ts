import { meaningOf, type ViewEntry, type ViewEvent } from '../../cache/index.ts';
import { internalError, limits, StatusError } from '../../meta/index.ts';
import type { Preparation } from '../representation/converted-representations.ts';
import type { Representations } from '../representation/representation.ts';
import { prepareRepresentations } from '../representation/prepare-representations.ts';
import { renderEntry } from '../representation/response-object.ts';
import type { Selection } from '../selection/selection.ts';
import type { Target } from '../resource/target.ts';
import { noticeOf, type WatchNotice } from './watch-notice.ts';

/** The parameters of a watch of a version that a webhook converts. */
interface ConvertedWatch {
  readonly target: Target;
  readonly matches: Selection['matches'];
  /** Cancels the wait for the webhook. */
  readonly end: AbortSignal;
}

/**
 * The initial notices of a watch: the selected entries, in batches.
 *
 * @throws {StatusError} 500 if the webhook fails: events would be lost, so the watch ends
 */
export async function* convertedState(
  entries: Iterable<ViewEntry<Representations>>,
  watch: ConvertedWatch,
): AsyncGenerator<readonly WatchNotice[]> {
  const { target, matches } = watch;
  for (const batch of batchesOf(entries)) {
    await prepared(batch, watch);
    const selected = matches === undefined ? batch : batch.filter(matches);
    const notices = selected.map((entry): WatchNotice => {
      return { type: 'ADDED', responseObject: renderEntry(entry, target), frames: new Map() };
    });
    if (notices.length > 0) yield notices;
  }
}

/**
 * The notices that follow, made from all events of the scope: whether an event concerns the watcher, and how, depends
 * on the converted old and new contents. Their order is kept. During a webhook call, the subscription queues and then
 * reads from the event window, as for any slow reader.
 *
 * @throws {StatusError} 500 if the webhook fails
 */
export async function* convertedChanges(
  subscription: AsyncIterable<readonly ViewEvent<Representations>[]>,
  watch: ConvertedWatch,
): AsyncGenerator<readonly WatchNotice[]> {
  for await (const events of subscription) {
    await prepared(contentsOf(events, watch), watch);
    const notices = events.flatMap((event) => noticeFor(event, watch) ?? []);
    // An empty batch asks for a bookmark; a batch whose events all concern other watchers is skipped.
    if (notices.length > 0 || events.length === 0) yield notices;
  }
}

/** Old contents matter only to watches with selectors. */
function contentsOf(
  events: readonly ViewEvent<Representations>[],
  { matches }: ConvertedWatch,
): readonly ViewEntry<Representations>[] {
  return events.flatMap(({ entry, previous }) =>
    matches === undefined || previous === undefined ? [entry] : [entry, previous],
  );
}

function noticeFor(
  event: ViewEvent<Representations>,
  { target, matches }: ConvertedWatch,
): WatchNotice | undefined {
  if (matches === undefined) return noticeOf(event, target);
  const { type, entry, previous, revision } = event;
  const was = type === 'DELETED' ? matches(entry) : previous !== undefined && matches(previous);
  const meaning = meaningOf(type !== 'DELETED' && matches(entry), was);
  if (meaning === type) return noticeOf(event, target);
  if (meaning === undefined) return undefined;
  const shown = meaning === 'DELETED' && previous !== undefined ? previous : entry;
  return { type: meaning, responseObject: renderEntry(shown, target, revision), frames: new Map() };
}

/** Upstream's storage calls every error that ends a watch an internal error. */
async function prepared(
  entries: readonly ViewEntry<Representations>[],
  watch: ConvertedWatch,
): Promise<void> {
  const preparation: Preparation = { served: watch.target, context: { signal: watch.end } };
  try {
    await prepareRepresentations(entries, preparation);
  } catch (error) {
    throw error instanceof StatusError ? internalError(error.message) : error;
  }
}

function* batchesOf(
  entries: Iterable<ViewEntry<Representations>>,
): Generator<readonly ViewEntry<Representations>[]> {
  let batch: ViewEntry<Representations>[] = [];
  for (const entry of entries) {
    batch.push(entry);
    if (batch.length < limits.conversionReviewObjectsMax) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
