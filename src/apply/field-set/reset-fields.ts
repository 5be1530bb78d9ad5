import { FieldSet } from './field-set.ts';
import { fieldPathOf } from './path-element.ts';

/** Fields that an endpoint does not persist, so no manager can own them through it, by `apiVersion`. */
export type ResetFields = ReadonlyMap<string, FieldSet>;

/** The fields that the main endpoint resets if the version has a status subresource: the status of its own version. */
export function mainResetFields(apiVersion: string): ResetFields {
  return new Map([[apiVersion, FieldSet.of(fieldPathOf('status'))]]);
}

/**
 * The fields that the status endpoint resets: metadata and spec, in every version that has a status subresource.
 * Otherwise a status write in one version would take spec from its owners in another.
 */
export function statusResetFields(apiVersions: readonly string[]): ResetFields {
  const set = FieldSet.of(fieldPathOf('metadata'), fieldPathOf('spec'));
  return new Map(apiVersions.map((apiVersion) => [apiVersion, set]));
}

/** The given fields, as dotted paths: `status.conditions`. */
export function resetFieldsOf(apiVersion: string, paths: readonly string[]): ResetFields {
  return new Map([[apiVersion, FieldSet.of(...paths.map((path) => fieldPathOf(...path.split('.'))))]]);
}
