import type { JsonValue, KubeObject } from '../../meta/index.ts';
import { findAtomics } from '../typed/find-atomics.ts';
import { mergeTyped } from '../typed/merge.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { problemsText, TypedError } from '../typed/typed-error.ts';
import { ListItemError } from '../typed/list-item.ts';
import { checkTyped } from '../typed/validate.ts';

/** A configuration that cannot be merged into an object; the message is upstream's. */
export class ConfigurationMergeError extends Error {}

/**
 * Merges a configuration into an object as server-side apply does, without ownership: fields that the configuration
 * does not set stay. The result shares unchanged parts with the object.
 * Source: apiserver, policy/mutating/patch/smd.go, ApplyStructuredMergeDiff.
 *
 * @throws {ConfigurationMergeError} if either does not match the type, and for atomic lists and maps
 */
export function mergeConfiguration(
  type: MergeType,
  object: KubeObject,
  configuration: KubeObject,
): JsonValue {
  requireType(type, configuration, { allowDuplicates: false, what: 'patch object' });
  const atomics = findAtomics(type, configuration);
  if (atomics.length > 0) {
    const what = 'may not mutate atomic arrays, maps or structs';
    throw new ConfigurationMergeError(`invalid ApplyConfiguration: ${what}: ${atomics.join(', ')}`);
  }
  requireType(type, object, { allowDuplicates: true, what: 'original object' });
  try {
    return mergeTyped(type, object, configuration);
  } catch (error) {
    if (!(error instanceof TypedError || error instanceof ListItemError)) throw error;
    throw new ConfigurationMergeError(`failed to merge patch: ${error.message}`);
  }
}

function requireType(
  type: MergeType,
  value: KubeObject,
  { allowDuplicates, what }: { readonly allowDuplicates: boolean; readonly what: string },
): void {
  const problems = checkTyped(type, value, { allowDuplicates });
  if (problems.length === 0) return;
  throw new ConfigurationMergeError(`failed to convert ${what} to typed object: ${problemsText(problems)}`);
}
