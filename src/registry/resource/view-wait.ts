import { ViewError, type WaitOptions } from '../../cache/index.ts';
import {
  expiredError,
  limits,
  parseResourceVersion,
  ResourceVersionError,
  timeoutError,
  tooLargeResourceVersionError,
  unavailableError,
} from '../../meta/index.ts';
import type { RequestContext } from '../request/context.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';
import { storeCall } from '../request/store-call.ts';
import type { Target } from './target.ts';

/** How a request waits. Its signal is created only if it must wait. */
export function waitOptions(context: RequestContext): WaitOptions {
  return {
    get signal() {
      return context.signal;
    },
    timeoutMs: limits.freshnessWaitMsMax,
  };
}

/**
 * Waits until a view is as fresh as a resourceVersion requires: empty means the latest, `0` anything, a number that
 * revision or later. Undefined if it already is; every read calls this.
 *
 * @throws {StatusError} 504 on a timeout, 500 for a resourceVersion that is not a number (as upstream)
 */
export function waitForVersion(
  target: Target,
  resourceVersion: string,
  context: RequestContext,
): Promise<void> | undefined {
  return isFresh(target, resourceVersion) ? undefined : waitUntilFresh(target, resourceVersion, context);
}

function isFresh({ resource: { view }, freshness }: Target, resourceVersion: string): boolean {
  const { minRevision } = freshness;
  if (resourceVersion === '') return minRevision !== undefined && view.isReady && view.shows(minRevision);
  return resourceVersion === '0' && view.isReady;
}

async function waitUntilFresh(
  target: Target,
  resourceVersion: string,
  context: RequestContext,
): Promise<void> {
  const options = waitOptions(context);
  const { view } = target.resource;
  await viewCall(() => view.ready(options));
  if (resourceVersion === '') {
    await waitForLatest(target, options);
  } else if (resourceVersion !== '0') {
    const revision = revisionOf(resourceVersion);
    await viewCall(() => view.atLeast(revision, options), revision);
  }
}

/**
 * Waits until the view of a resource is as fresh as a target requires, and returns a revision at which it is. Asks
 * the storage only if the request has not asked yet.
 *
 * @throws {StatusError} 503, 504
 */
export function waitForLatest(
  { resource, freshness: { minRevision } }: Pick<Target, 'resource' | 'freshness'>,
  options: WaitOptions,
): Promise<number> {
  const { view } = resource;
  return viewCall(async () => {
    if (minRevision === undefined) return view.consistent(options);
    await view.atLeast(minRevision, options);
    return minRevision;
  });
}

/**
 * The revision of a resourceVersion, for verbs that answer invalid ones with 500, as upstream.
 *
 * @throws {StatusError} 500
 */
export function revisionOf(text: string): number {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw error instanceof ResourceVersionError ? errorWithoutReason(500, error.message) : error;
  }
}

/** Calls the view; the only place where its errors are translated. */
export async function viewCall<T>(call: () => Promise<T>, requested = 0): Promise<T> {
  try {
    return await storeCall(call);
  } catch (error) {
    throw error instanceof ViewError ? translate(error, requested) : error;
  }
}

/** The refusal for an error of the view. */
export function translateViewError(error: unknown, requested: number): unknown {
  return error instanceof ViewError ? translate(error, requested) : error;
}

function translate(error: ViewError, requested: number) {
  switch (error.code) {
    case 'expired':
      return expiredError(`too old resource version: ${requested} (${error.oldest})`);
    case 'future':
    case 'timeout':
      if (requested > 0) return tooLargeResourceVersionError(requested, error.current);
      return timeoutError('the storage did not become ready in time', { retryAfterSeconds: 1 });
    case 'closed':
      return unavailableError('apiserver is shutting down', 1);
  }
}
