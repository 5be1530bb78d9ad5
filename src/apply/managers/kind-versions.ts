import type { FieldSet } from '../field-set/field-set.ts';
import type { MergeType } from '../typed/merge-type.ts';

/** What one manager owns, in the version in which it wrote. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly version: string;
  /** True where the manager applies, false where it updates. */
  readonly applied: boolean;
}

/** All managers of an object by their identity. */
export type Managers = ReadonlyMap<string, VersionedSet>;

/** What the computation must know of the kind. */
export interface KindVersions {
  /** The merge type of a version; undefined where the version does not exist. */
  typeOf(version: string): MergeType | undefined;
  /** Fields that nobody comes to own by this write, by version: those that the endpoint does not persist. */
  readonly ignored?: ReadonlyMap<string, FieldSet>;
}

/** A version whose merge type is needed and does not exist. */
class UnknownVersionError extends Error {
  override readonly name = 'UnknownVersionError';
}

/** The merge type of a version. @throws {UnknownVersionError} where there is none. */
export function typeOrThrow(kind: KindVersions, version: string): MergeType {
  const type = kind.typeOf(version);
  if (type === undefined) throw new UnknownVersionError(`no type for version ${version}`);
  return type;
}
