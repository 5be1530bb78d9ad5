import {
  ensureMetadata,
  invalid,
  invalidError,
  type KubeObject,
  metadataOf,
  metadataString,
  own,
  put,
  NumberSyntaxError,
  parseUint64,
} from '../../meta/index.ts';
import { errorWithoutReason } from '../request/error-without-reason.ts';
import type { ObjectTarget } from '../resource/target.ts';
import { staleError } from './stale-error.ts';

/** @throws {StatusError} 409 for a stale resourceVersion, 422 for a missing required one, 500 for an invalid one */
export function requireFreshVersion(object: KubeObject, old: KubeObject, target: ObjectTarget): void {
  const sent = metadataString(object, 'resourceVersion');
  const present = metadataString(old, 'resourceVersion');
  if (sent === present) return;
  if (sent === '' || sent === '0') {
    if (target.resource.strategy.allowUnconditionalUpdate) {
      ensureMetadata(object)['resourceVersion'] = present;
      return;
    }
    const { group, resource } = target.type;
    throw invalidError({ group, kind: resource }, target.name, [
      invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  requireNumber(sent);
  throw staleError(target);
}

/** @throws {StatusError} 500 without a reason, as upstream, for a resourceVersion that is not a number */
export function requireNumber(resourceVersion: string): void {
  try {
    parseUint64(resourceVersion);
  } catch (error) {
    if (!(error instanceof NumberSyntaxError)) throw error;
    throw errorWithoutReason(500, error.message);
  }
}

/** Immutable metadata; requests that omit these fields keep them. */
const keptFields = ['creationTimestamp', 'generation', 'deletionTimestamp'] as const;

/** A new deletion timestamp or grace period is left for validation to refuse. */
export function keepSystemMetadata(object: KubeObject, old: KubeObject): void {
  const metadata = ensureMetadata(object);
  const before = metadataOf(old);
  for (const field of keptFields) {
    const value = own(before, field);
    if (value !== undefined) put(metadata, field, value);
    else if (field === 'generation') delete metadata[field];
  }
  const grace = own(before, 'deletionGracePeriodSeconds');
  if (grace !== undefined) metadata['deletionGracePeriodSeconds'] ??= grace;
  if (metadataString(object, 'uid') === '') put(metadata, 'uid', metadataString(old, 'uid'));
}
