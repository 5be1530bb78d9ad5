import { type CallFailure, isCallFailure } from '../../grpc/index.ts';
import { StoreError, type StoreErrorCode } from '../store.ts';

/** What a failed call means for the caller. */
type Verdict =
  /** It will fail again. */
  | { readonly kind: 'final'; readonly code: StoreErrorCode }
  /** The token is no longer valid; nothing was done. */
  | { readonly kind: 'unauthenticated' }
  /** A retry may succeed, at this member or another one. */
  | { readonly kind: 'passing'; readonly nothingWritten: boolean };

/** Sentences of etcd that settle the matter. Source: etcd, api/v3rpc/rpctypes/error.go. */
const finalTexts: ReadonlyMap<string, StoreErrorCode> = new Map([
  ['etcdserver: mvcc: required revision has been compacted', 'compacted'],
  ['etcdserver: mvcc: required revision is a future revision', 'future-revision'],
  ['etcdserver: mvcc: database space exceeded', 'no-space'],
  ['etcdserver: request is too large', 'too-large'],
  ['etcdserver: permission denied', 'refused'],
  ['etcdserver: user name is empty', 'refused'],
  ['etcdserver: authentication failed, invalid user ID or password', 'refused'],
  ['etcdserver: authentication is not enabled', 'refused'],
]);

const staleTokenTexts: ReadonlySet<string> = new Set([
  'etcdserver: invalid auth token',
  'etcdserver: revision of auth store is old',
]);

/** Refused before anything was proposed: a write may be tried again without fear. */
const untouchedTexts: ReadonlySet<string> = new Set([
  'etcdserver: no leader',
  'etcdserver: too many requests',
  'etcdserver: rpc not supported for learner',
  'etcdserver: not capable',
  'etcdserver: corrupt cluster',
  'raft proposal dropped',
]);

/** Refused before it was processed, by HTTP/2, or never sent: gRPC's texts. */
const unsent = /^Stream refused by server$|^Failed to start HTTP\/2 stream with error /;

/** The refusal of etcd's gRPC server, for messages beyond etcd's own limit for requests. */
const sentTooLarge = /^grpc: received message larger than max/;

/** RESOURCE_EXHAUSTED by our own limit, not by etcd. */
const receivedTooLarge = /^Received message larger than max/;

/** The answer was larger than a message may be: a smaller page will do. */
export function isTooLargeAnswer(error: unknown): boolean {
  return isCallFailure(error) && receivedTooLarge.test(error.details);
}

/** Classifies a failed call by etcd's text; without a known text, the worst is assumed. */
export function judge({ details }: CallFailure): Verdict {
  const code = finalTexts.get(details);
  if (code !== undefined) return { kind: 'final', code };
  if (sentTooLarge.test(details)) return { kind: 'final', code: 'too-large' };
  if (receivedTooLarge.test(details)) return { kind: 'final', code: 'unavailable' };
  if (staleTokenTexts.has(details)) return { kind: 'unauthenticated' };
  return { kind: 'passing', nothingWritten: untouchedTexts.has(details) || unsent.test(details) };
}

/** The StoreError of a call that is not retried any more. */
export function storeErrorOf(failure: Error & CallFailure, code: StoreErrorCode): StoreError {
  return new StoreError(code, failure.details === '' ? failure.message : failure.details, { cause: failure });
}

/** A write that was sent and not answered: it may have happened, or may still happen. */
export function unknownOutcome(failure: Error & CallFailure): StoreError {
  const why = failure.details === '' ? failure.message : failure.details;
  return new StoreError('outcome-unknown', `whether the write happened is unknown: ${why}`, {
    cause: failure,
  });
}
