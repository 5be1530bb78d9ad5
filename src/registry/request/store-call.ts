import {
  type Clock,
  expiredError,
  internalError,
  requestTooLargeError,
  type StatusError,
  tooLargeResourceVersionError,
  type TrackLayer,
  unavailableError,
} from '../../meta/index.ts';
import { StoreError } from '../../storage/index.ts';

/** Calls the store, at a revision if one was requested; the only place where store errors are translated. */
export async function storeCall<T>(call: () => Promise<T>, requested = 0): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof StoreError ? causedBy(error, translate(error, requested)) : error;
  }
}

/** The same, and counts how long the store took. */
export async function trackedStoreCall<T>(
  call: () => Promise<T>,
  { track, clock }: { readonly track: TrackLayer | undefined; readonly clock: Clock },
): Promise<T> {
  if (track === undefined) return storeCall(call);
  const startedMs = clock.now();
  try {
    return await storeCall(call);
  } finally {
    track('etcd', clock.now() - startedMs);
  }
}

function causedBy(cause: StoreError, error: StatusError): StatusError {
  error.cause = cause;
  return error;
}

/** Whether an error contains the storage's own message; all other messages are ours. */
export function isStorageError(error: Error): boolean {
  return error.cause instanceof StoreError;
}

function translate(error: StoreError, requested: number): StatusError {
  switch (error.code) {
    case 'compacted':
      return expiredError('The resourceVersion for the provided list is too old.');
    case 'future-revision':
      return tooLargeResourceVersionError(requested, error.revision ?? 0);
    case 'closed':
      return unavailableError('apiserver is shutting down', 1);
    case 'unavailable':
      return unavailableError(`storage is (re)initializing: ${error.message}`, 1);
    case 'too-large':
      return requestTooLargeError(error.message);
    // No retry hint, which clients would follow: the write may have happened.
    case 'outcome-unknown':
    case 'no-space':
    case 'damaged':
    case 'unreadable':
    case 'unwritable':
    case 'refused':
      return internalError(error.message);
  }
}
