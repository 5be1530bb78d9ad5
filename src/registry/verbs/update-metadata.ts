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

/** @throws {StatusError} 409 for a stale resourceVersion, 422 for a missing one where one is needed, 500 for none */
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

/** @throws {StatusError} 500 without a reason, as upstream has it, for a resourceVersion that is no number */
export function requireNumber(resourceVersion: string): void {
  try {
    parseUint64(resourceVersion);
  } catch (error) {
    if (!(error instanceof NumberSyntaxError)) throw error;
    throw errorWithoutReason(500, error.message);
  }
}

/** Fields of metadata that no update can change; a request that leaves them out keeps them. */
const keptFields = ['creationTimestamp', 'generation', 'deletionTimestamp'] as const;

/** A time of deletion that an object does not have yet is left for validation to refuse, and so is a grace period. */
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
