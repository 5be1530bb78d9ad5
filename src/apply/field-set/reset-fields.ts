import { FieldSet } from './field-set.ts';
import { fieldPathOf } from './path-element.ts';

/** Fields that an endpoint does not persist and nobody comes to own through it, by `apiVersion`. */
export type ResetFields = ReadonlyMap<string, FieldSet>;

/** What the main endpoint resets where the version has a status subresource: its own version's status. */
export function mainResetFields(apiVersion: string): ResetFields {
  return new Map([[apiVersion, FieldSet.of(fieldPathOf('status'))]]);
}

/**
 * What the status endpoint resets: metadata and spec, in every version that has a status subresource. Otherwise a
 * write of status in one version would take spec from its owners in another.
 */
export function statusResetFields(apiVersions: readonly string[]): ResetFields {
  const set = FieldSet.of(fieldPathOf('metadata'), fieldPathOf('spec'));
  return new Map(apiVersions.map((apiVersion) => [apiVersion, set]));
}

/** Given fields, as paths with dots: `status.conditions`. */
export function resetFieldsOf(apiVersion: string, paths: readonly string[]): ResetFields {
  return new Map([[apiVersion, FieldSet.of(...paths.map((path) => fieldPathOf(...path.split('.'))))]]);
}
