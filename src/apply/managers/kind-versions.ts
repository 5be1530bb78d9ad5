import type { FieldSet } from '../field-set/field-set.ts';
import type { MergeType } from '../typed/merge-type.ts';

/** The fields that one manager owns, in the version in which it wrote them. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly version: string;
  /** True for an apply, false for an update. */
  readonly applied: boolean;
}

/** All managers of an object, by identity. */
export type Managers = ReadonlyMap<string, VersionedSet>;

/** What the computation needs to know about the kind. */
export interface KindVersions {
  /** The merge type of a version; undefined if the version does not exist. */
  typeOf(version: string): MergeType | undefined;
  /** Fields that this write cannot own, by version: the endpoint does not persist them. */
  readonly ignored?: ReadonlyMap<string, FieldSet>;
}

/** A version without a merge type was needed. */
class UnknownVersionError extends Error {
  override readonly name = 'UnknownVersionError';
}

/** The merge type of a version. @throws {UnknownVersionError} if there is none. */
export function typeOrThrow(kind: KindVersions, version: string): MergeType {
  const type = kind.typeOf(version);
  if (type === undefined) throw new UnknownVersionError(`no type for version ${version}`);
  return type;
}
