import {
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  own,
} from '../../meta/index.ts';
import { FieldSet } from '../field-set/field-set.ts';
import type { KnownSets } from '../field-set/fields-v1.ts';
import type { KindVersions, VersionedSet } from '../managers/kind-versions.ts';
import type { ManagerEntries, ManagerEntry } from '../managers/managed-fields.ts';
import type { ManagerIdentity } from '../managers/manager-identity.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { fieldPathOf } from '../field-set/path-element.ts';
import type { ResetFields } from '../field-set/reset-fields.ts';

/** The writer, the endpoint, and what the computation needs to know about the resource. */
export interface FieldWriteOptions {
  /** The field manager; empty counts as `unknown`. */
  readonly manager: string;
  /** The `apiVersion` of the endpoint; live and new object are in it. */
  readonly apiVersion: string;
  /** `status`, `scale` or empty. */
  readonly subresource?: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /**
   * The merge type of each `apiVersion`; undefined for one that does not exist (any more).
   *
   * @throws for a version that managed fields cannot name: an update with such an entry cannot be attributed, and
   * nothing converts to it
   */
  typeOf(apiVersion: string): MergeType | undefined;
  /** The fields that this endpoint does not persist, so they get no owner through it. */
  readonly resetFields?: ResetFields;
  /** Decoded managed fields, for callers that keep objects between writes and never change them. */
  readonly knownSets?: KnownSets;
  /** Called with the reason if an update could not be attributed; its object then keeps its managed fields. */
  onFrozen?(error: unknown): void;
}

/** System fields: writers never own them. */
const systemFields = FieldSet.of(
  fieldPathOf('apiVersion'),
  fieldPathOf('kind'),
  fieldPathOf('metadata'),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => fieldPathOf('metadata', name)),
);

export function kindVersionsOf(options: FieldWriteOptions): KindVersions {
  const { resetFields } = options;
  return {
    typeOf: (version) => options.typeOf(version),
    ...(resetFields === undefined ? {} : { ignored: resetFields }),
  };
}

export function identityOf(
  options: FieldWriteOptions,
  operation: ManagerIdentity['operation'],
): ManagerIdentity {
  const { manager, apiVersion, subresource = '' } = options;
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource };
}

export function managedFieldsOf(object: KubeObject | undefined): JsonValue | undefined {
  return object === undefined ? undefined : own(metadataOf(object), 'managedFields');
}

/** The object without its managed fields; the same object if it has none. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const metadata = own(object, 'metadata');
  if (!isObject(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** A new object with these managed fields, or with none; everything but root and metadata is shared. */
export function withManagedFields(object: KubeObject, list: JsonValue | undefined): KubeObject {
  if (list === undefined || list === null) return withoutManagedFields(object);
  return { ...object, metadata: { ...metadataOf(object), managedFields: list } };
}

/** The live object of an apply or update that creates. */
export function emptyObjectOf(object: KubeObject): KubeObject {
  const empty: JsonObject = {};
  for (const name of ['apiVersion', 'kind']) {
    const value = own(object, name);
    if (value !== undefined) empty[name] = value;
  }
  return empty;
}

/** The set without system fields. */
export function withoutSystemFields(set: FieldSet): FieldSet {
  return set.difference(systemFields);
}

/** The entries after a computation on sets: the remaining managers, with their remaining sets. */
export function carryOver(
  entries: ManagerEntries,
  sets: ReadonlyMap<string, VersionedSet>,
): Map<string, ManagerEntry> {
  const carried = new Map<string, ManagerEntry>();
  for (const [key, entry] of entries) {
    const left = sets.get(key);
    if (left !== undefined) carried.set(key, { ...entry, set: left.set, version: left.version });
  }
  return carried;
}
