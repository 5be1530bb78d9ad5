import { type Snapshot, type ViewEntry, ViewError } from '../../cache/index.ts';
import {
  badRequestError,
  type ContinueToken,
  continueAtLatest,
  decodeContinueToken,
  encodeContinueToken,
  expiredError,
  limits,
  type ListOptions,
  parseResourceVersion,
  ResourceVersionError,
  type Slices,
  StatusError,
} from '../../meta/index.ts';
import type { KeyRange } from '../../storage/index.ts';
import type { RequestContext } from '../request/context.ts';
import { convertedPage } from './converted-page.ts';
import { keepForm, type Representations } from '../representation/representation.ts';
import { viewCall, waitForLatest, waitOptions } from '../resource/view-wait.ts';
import { type ListPage, PageBuilder } from './page-builder.ts';
import type { RegistryParts } from '../write/registry-parts.ts';
import { needsWebhook } from '../representation/prepare-representations.ts';
import { rangeOf, type Selection, selectObjects } from '../selection/selection.ts';
import { type ObjectSnapshot, planSelection, prepareSelection } from '../selection/selection-plan.ts';
import { caughtUpSnapshot, isLarge, storedSnapshot } from '../selection/stored-snapshot.ts';
import type { Target } from '../resource/target.ts';

export interface ListRequest {
  readonly target: Target;
  readonly options: ListOptions;
  readonly context: RequestContext;
}

/**
 * GET of a collection, by upstream's table of resourceVersion, resourceVersionMatch, limit and continue.
 *
 * @throws {StatusError} 400, 410 for a compacted revision, 504 for one not reached in time
 */
export async function listObjects(parts: RegistryParts, request: ListRequest): Promise<ListPage> {
  const { target, options } = request;
  const selection = selectObjects(target, options, 'list');
  const named = options.resourceVersion !== '' || options.continue !== '';
  const { slices } = parts;
  const whole = { range: rangeOf(selection), context: request.context };
  if (parts.store.tellsTrueProgress || named || (await isLarge(target.resource, whole)))
    await prepareSelection(selection, target, { context: request.context, slices });
  const start = await startOf(parts, request, selection);
  const limit = ignoresLimit(options) ? 0 : options.limit;
  return pageOf(parts, request, { selection, start, limit });
}

/** `resourceVersion=0` without a continue token returns the cached state. */
function ignoresLimit(options: ListOptions): boolean {
  return (
    options.resourceVersion === '0' && options.continue === '' && options.resourceVersionMatch !== 'Exact'
  );
}

/** A snapshot in key order, from a start key. */
interface Start {
  readonly range: KeyRange;
  readonly prefix: string;
  readonly snapshot: ObjectSnapshot;
}

async function startOf(parts: RegistryParts, request: ListRequest, selection: Selection): Promise<Start> {
  const range = rangeOf(selection);
  const prefix = prefixOf(request.target);
  const { continue: token } = request.options;
  const limit = selection.matches === undefined ? request.options.limit : 0;
  if (token === '') return { range, prefix, snapshot: await snapshotOf(parts, request, { range, limit }) };
  const { revision, startKey } = continuation(request.options);
  const rest = { start: `${prefix}${startKey}`, end: range.end };
  const snapshot = await continuedSnapshot(parts, request, { revision, rest, limit });
  return { range: rest, prefix, snapshot };
}

/** The base of a continue token: the collection in the URL. */
function prefixOf({ resource, type, namespace }: Target): string {
  return type.namespaced && namespace !== '' ? `${resource.prefix}${namespace}/` : resource.prefix;
}

function continuation(options: ListOptions): ContinueToken {
  const token = decodeContinueToken(options.continue);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequestError('specifying resource version is not allowed when using continue');
  }
  return token;
}

/** The part of a snapshot to read: all keys of a range, or the first ones if no selector filters them. */
interface Part {
  readonly range: KeyRange;
  readonly limit: number;
}

async function snapshotOf(parts: RegistryParts, request: ListRequest, part: Part): Promise<ObjectSnapshot> {
  const { target, options, context } = request;
  const { view } = target.resource;
  const waiting = waitOptions(context);
  if (options.resourceVersion === '') return latestSnapshot(parts, request, part);
  await viewCall(() => view.ready(waiting));
  const revision = listRevision(options.resourceVersion);
  if (revision > 0) await viewCall(() => view.atLeast(revision, waiting), revision);
  const exact =
    options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0);
  return exact && revision > 0 ? exactSnapshot(parts, request, { ...part, revision }) : view.snapshot();
}

async function latestSnapshot(
  { store }: RegistryParts,
  { target, context }: ListRequest,
  part: Part,
): Promise<ObjectSnapshot> {
  const { resource } = target;
  if (!store.tellsTrueProgress) {
    const { range, limit } = part;
    const caughtUp = limit === 0 ? await caughtUpSnapshot(resource, { range, context }) : undefined;
    return caughtUp ?? storedSnapshot(store, resource, { ...part, signal: context.signal });
  }
  const waiting = waitOptions(context);
  await viewCall(() => resource.view.ready(waiting));
  await waitForLatest(target, waiting);
  return resource.view.snapshot();
}

function listRevision(text: string): number {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    if (!(error instanceof ResourceVersionError)) throw error;
    throw badRequestError(`invalid resource version: ${error.message}`);
  }
}

/** A snapshot of a past revision: from the view's event window, or from the store if it is older. */
async function exactSnapshot(
  parts: RegistryParts,
  { target, context }: ListRequest,
  past: Part & { readonly revision: number },
): Promise<ObjectSnapshot> {
  const inWindow = windowSnapshot(target, past.revision);
  if (inWindow !== undefined) return inWindow;
  return storedSnapshot(parts.store, target.resource, { ...past, signal: context.signal });
}

function windowSnapshot(target: Target, revision: number): Snapshot<Representations> | undefined {
  try {
    return target.resource.view.snapshotAt(revision);
  } catch (error) {
    if (error instanceof ViewError && error.code === 'expired') return undefined;
    throw error;
  }
}

/** The snapshot of a continue token; revision -1 continues with the latest state. */
async function continuedSnapshot(
  parts: RegistryParts,
  request: ListRequest,
  { revision, rest, limit }: { revision: number; rest: KeyRange; limit: number },
): Promise<ObjectSnapshot> {
  const part = { range: rest, limit };
  if (revision === continueAtLatest) return latestSnapshot(parts, request, part);
  try {
    return await reachedSnapshot(parts, request, { ...part, revision });
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'Expired') throw expiredTokenError(request, rest);
    throw error;
  }
}

/** Another server, or the storage itself, may have issued the token, and be ahead of the view. */
async function reachedSnapshot(
  parts: RegistryParts,
  request: ListRequest,
  past: Part & { readonly revision: number },
): Promise<ObjectSnapshot> {
  const { store } = parts;
  const { resource } = request.target;
  const { view } = resource;
  if (!store.tellsTrueProgress && view.revision < past.revision)
    return storedSnapshot(store, resource, { ...past, signal: request.context.signal });
  const waiting = waitOptions(request.context);
  await viewCall(() => view.ready(waiting));
  await viewCall(() => view.atLeast(past.revision, waiting), past.revision);
  return exactSnapshot(parts, request, past);
}

/** The client may start over, or continue inconsistently with the current state. */
function expiredTokenError({ target }: ListRequest, rest: KeyRange): StatusError {
  const start = rest.start.slice(prefixOf(target).length);
  return expiredError(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter, or use the continue token in this response to retrieve the remainder of ' +
      'the results. Continuing with the provided token results in an inconsistent list - objects that were created, ' +
      'modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinueToken({ revision: continueAtLatest, startKey: start }),
  );
}

/** The inputs of a page. */
interface PageContent {
  readonly selection: Selection;
  readonly start: Start;
  readonly limit: number;
}

async function pageOf(
  parts: RegistryParts,
  { target, context }: ListRequest,
  { selection, start: { snapshot, range, prefix }, limit }: PageContent,
): Promise<ListPage> {
  const plan = planSelection(selection, snapshot, range);
  const { matches } = selection;
  const page = new PageBuilder({ target, matches, snapshot, plan, range, prefix, limit });
  // Index results change with the objects: they must be consumed before the next write.
  const entries = plan.kind === 'index' ? [...plan.find()] : plan.find();
  if (needsWebhook(target)) return convertedPage(page, entries, { served: target, context, limit });
  return filledPage(page, entries, { slices: parts.slices, context, served: target });
}

/** Reading the clock costs as much as adding an entry without a selector. */
const entriesPerLook = 8;

interface Filling {
  readonly slices: Slices | undefined;
  readonly context: RequestContext;
  readonly served: Target;
}

/** Fills the page, in slices: selectors may have to read every object. */
async function filledPage(
  page: PageBuilder,
  entries: Iterable<ViewEntry<Representations>>,
  { slices, context, served }: Filling,
): Promise<ListPage> {
  let taken = 0;
  for (const entry of entries) {
    if (page.isFull) return page.withMore();
    taken += 1;
    const pause = taken % entriesPerLook === 0 ? slices?.pause() : undefined;
    if (pause !== undefined) {
      await pause;
      context.signal.throwIfAborted();
    }
    // One large undecoded object takes longer than all others.
    if (entry.value.length >= limits.pauseFromBytes) await slices?.run(keepForm(entry, served));
    page.take(entry);
  }
  return page.asLast();
}
