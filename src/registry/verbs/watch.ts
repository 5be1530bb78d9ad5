import type { Snapshot, Subscription, ViewEntry } from '../../cache/index.ts';
import { limits, listenForAbort, type ListOptions, type Slices, StatusError } from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import { convertedChanges, convertedState } from './converted-watch.ts';
import { keepForm, type Representations } from '../representation/representation.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import {
  revisionOf,
  translateViewError,
  viewCall,
  waitForLatest,
  waitOptions,
} from '../resource/view-wait.ts';
import { needsWebhook } from '../representation/prepare-representations.ts';
import { renderEntry } from '../representation/response-object.ts';
import { rangeOf, type Selection, selectObjects } from '../selection/selection.ts';
import { planSelection, prepareSelection } from '../selection/selection-plan.ts';
import type { Target } from '../resource/target.ts';
import { noticeOf, type WatchNotice } from './watch-notice.ts';

export interface WatchRequest {
  readonly target: Target;
  readonly options: ListOptions;
  readonly context: RequestContext;
}

/** An open watch. */
export interface ObjectWatch extends AsyncIterable<readonly WatchNotice[]> {
  /** The revision up to which all events have been taken by the reader. */
  readonly revision: number;
  /** Aborted when the watch has ended, even if its reader has not noticed yet. */
  readonly end: AbortSignal;
  /** How its objects are found, initially and when they change. */
  readonly plan: () => string;
  /** Yields an empty batch soon if there is no event: time for a bookmark with {@link revision}. */
  requestBookmark(): void;
  close(): void;
}

/**
 * A watch on a collection. Its start revision is fixed when it is returned: the watch reports all changes after the
 * response's head reached the client. Selectors and the syntax of the resourceVersion are checked before; an expired
 * revision is sent as an ERROR notice, which ends the stream.
 *
 * @throws {StatusError} 400, 500 for a resourceVersion that is not a number (as upstream)
 */
export async function watchObjects(
  { slices }: Pick<RegistryParts, 'slices'>,
  request: WatchRequest,
): Promise<ObjectWatch> {
  const { target, options } = request;
  const selection = selectObjects(target, options, 'watch');
  const after = revisionOf(options.resourceVersion);
  const abort = new AbortController();
  const end = abort.signal;
  // `AbortSignal.any` would leave an entry on the long-lived signal of a resource for each watch.
  for (const cause of [request.context.signal, target.changes.signal]) {
    listenForAbort(cause, () => abort.abort(), end);
  }
  const start = await settled(startOf({ ...request, slices }, selection, after));
  const plan = planText(selection, start);
  const state: WatchState = { revision: after, subscription: undefined };
  const run = notices(request, selection, { after, start, end, state, slices });
  return {
    [Symbol.asyncIterator]: () => run,
    get revision() {
      return Math.max(state.revision, state.subscription?.revision ?? 0);
    },
    end,
    plan,
    requestBookmark: () => state.subscription?.requestBookmark(),
    close: () => abort.abort(),
  };
}

/**
 * `index: spec.color=blue (3 of 500); events: spec.color=blue`
 *
 * @throws {StatusError} 400 for a filter that would cost more than a list may
 */
function planText(selection: Selection, start: Settled<Start>): () => string {
  const { scope, indexedValues } = selection;
  const events = `events: ${indexedValues?.text ?? (scope.kind === 'key' ? scope.key : `${scope.prefix}*`)}`;
  if ('error' in start || 'after' in start.value) return () => events;
  const plan = planSelection(selection, start.value.snapshot, rangeOf(selection));
  return () => `${plan.text}; ${events}`;
}

interface WatchState {
  revision: number;
  subscription: Subscription<Representations> | undefined;
}

/** The start of a watch: the objects at a revision, or the changes after it. */
type Start = { readonly snapshot: Snapshot<Representations> } | { readonly after: number };
type Settled<T> = { readonly value: T } | { readonly error: unknown };

interface WatchRun {
  readonly slices: Slices | undefined;
  readonly after: number;
  readonly start: Settled<Start>;
  readonly end: AbortSignal;
  readonly state: WatchState;
}

async function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}

async function startOf(
  { target, options, context, slices }: WatchRequest & { readonly slices: Slices | undefined },
  selection: Selection,
  after: number,
): Promise<Start> {
  const { view } = target.resource;
  const waiting = waitOptions(context);
  if (!wantsInitialEvents(options)) {
    return { after: after > 0 ? after : await waitForLatest(target, waiting) };
  }
  await viewCall(() => view.ready(waiting));
  await prepareSelection(selection, target, { context, slices });
  if (options.resourceVersion === '') await waitForLatest(target, waiting);
  else if (after > 0) await viewCall(() => view.atLeast(after, waiting), after);
  return { snapshot: view.snapshot() };
}

/** Requested, or by the legacy rule: a watch without resourceVersion, or from 0, starts with the current state. */
function wantsInitialEvents({ sendInitialEvents, resourceVersion }: ListOptions): boolean {
  return sendInitialEvents ?? (resourceVersion === '' || resourceVersion === '0');
}

async function* notices(
  request: WatchRequest,
  selection: Selection,
  run: WatchRun,
): AsyncGenerator<readonly WatchNotice[]> {
  try {
    if ('error' in run.start) throw run.start.error;
    const start = run.start.value;
    if ('after' in start) return yield* liveNotices(request, selection, { ...run, after: start.after });
    const { snapshot } = start;
    yield* initialNotices(request, selection, { ...run, snapshot });
    run.state.revision = snapshot.revision;
    yield* endOfState(request, snapshot.revision);
    yield* liveNotices(request, selection, { ...run, after: start.snapshot.revision });
  } catch (error) {
    if (run.end.aborted) return;
    const translated = translateViewError(error, run.after);
    if (!(translated instanceof StatusError)) throw translated;
    yield [{ type: 'ERROR', status: translated.status }];
  }
}

const initialBatchMax = 500;
/** To look at the time takes as long as to take an entry that no selector looks into. */
const entriesPerLook = 8;

/** Brings a large object into its served form in slices; without that, its first event would do it in one piece. */
async function keepLargeForm(
  entry: ViewEntry<Representations>,
  target: Target,
  { end, slices }: Pick<WatchRun, 'end' | 'slices'>,
): Promise<void> {
  await slices?.run(keepForm(entry, target), end);
}

async function* initialNotices(
  { target }: WatchRequest,
  selection: Selection,
  { snapshot, end, slices }: Pick<WatchRun, 'end' | 'slices'> & { snapshot: Snapshot<Representations> },
): AsyncGenerator<readonly WatchNotice[]> {
  const { matches } = selection;
  const entries = planSelection(selection, snapshot, rangeOf(selection)).find();
  if (needsWebhook(target)) return yield* convertedState(entries, { target, matches, end });
  let batch: WatchNotice[] = [];
  let taken = 0;
  for (const entry of entries) {
    taken += 1;
    const pause = taken % entriesPerLook === 0 ? slices?.pause(end) : undefined;
    if (pause !== undefined) await pause;
    if (entry.value.length >= limits.pauseFromBytes) await keepLargeForm(entry, target, { end, slices });
    if (matches !== undefined && !matches(entry)) continue;
    const responseObject = renderEntry(entry, target);
    batch.push({ type: 'ADDED', responseObject, frames: new Map() });
    if (batch.length === initialBatchMax) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Marks the end of the initial state, if requested. */
function* endOfState({ options }: WatchRequest, revision: number): Generator<readonly WatchNotice[]> {
  if (options.sendInitialEvents !== true || !options.allowWatchBookmarks) return;
  yield [{ type: 'BOOKMARK', revision, initialEventsEnd: true }];
}

async function* liveNotices(
  { target }: WatchRequest,
  { scope, matches, indexedValues }: Selection,
  { after, end, state, slices }: Pick<WatchRun, 'after' | 'end' | 'state' | 'slices'>,
): AsyncGenerator<readonly WatchNotice[]> {
  const { view } = target.resource;
  await viewCall(() => view.ready({ signal: end }));
  const converted = needsWebhook(target);
  const subscription = view.subscribe({
    after,
    scope,
    indexedValues,
    signal: end,
    ...(matches === undefined || converted ? {} : { matches }),
  });
  state.subscription = subscription;
  if (converted) return yield* convertedChanges(subscription, { target, matches, end });
  for await (const events of subscription) {
    for (const { entry } of events) {
      if (entry.value.length >= limits.pauseFromBytes) await keepLargeForm(entry, target, { end, slices });
    }
    yield events.map((event) => noticeOf(event, target));
  }
}
