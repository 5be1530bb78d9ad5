import type { JsonObject, JsonValue } from '../../meta/index.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { decodeManagedFields, encodeManagedFields, type ManagerEntry } from './managed-fields.ts';
import { managerKey } from './manager-identity.ts';
import { fieldElement, fieldPathOf, type Path } from '../field-set/path-element.ts';

const scaleVersion = 'autoscaling/v1';
const replicasInScale = fieldPathOf('spec', 'replicas');

/** Where the versions of a resource have their replicas. */
export interface ReplicasPaths {
  /** The `apiVersion` of the endpoint. */
  readonly apiVersion: string;
  /** By `apiVersion`; undefined for a version without scale; no entry for a version that does not exist. */
  readonly paths: ReadonlyMap<string, Path | undefined>;
}

/** The path of a `specReplicasPath` such as `.spec.replicas`: each part is a field name. */
export function replicasPath(specReplicasPath: string): Path {
  return specReplicasPath.split('.').filter(Boolean).map(fieldElement);
}

/**
 * `metadata.managedFields` of a Scale, derived from its object: the owners of the object's replicas own
 * `.spec.replicas`.
 *
 * @throws {ManagedFieldsError} {FieldsFormatError} if they are invalid.
 */
export function scaleManagedFields(
  parent: JsonValue | undefined,
  { paths }: ReplicasPaths,
): JsonObject[] | undefined {
  const entries = new Map<string, ManagerEntry>();
  for (const [key, entry] of decodeManagedFields(parent)) {
    const path = paths.get(entry.version);
    if (path === undefined || !entry.set.has(path)) continue;
    entries.set(key, { ...entry, version: scaleVersion, set: FieldSet.of(replicasInScale) });
  }
  return encodeManagedFields(entries);
}

/**
 * `metadata.managedFields` of the object after a write of its Scale: the owners of the Scale's replicas own the
 * object's replicas; previous owners lose them.
 *
 * @throws {ManagedFieldsError} {FieldsFormatError} if they are invalid.
 */
export function parentManagedFields(
  parent: JsonValue | undefined,
  scale: JsonValue | undefined,
  { apiVersion, paths }: ReplicasPaths,
): JsonObject[] | undefined {
  const entries = new Map<string, ManagerEntry>();
  const before = decodeManagedFields(parent);
  const inScale = decodeManagedFields(scale);
  const matched = new Set<string>();
  for (const [key, entry] of before) {
    if (!paths.has(entry.version)) continue;
    const path = paths.get(entry.version);
    const scaleKey = managerKey({ ...entry.identity, apiVersion: scaleVersion });
    const owns = path !== undefined && entry.set.has(path);
    if (owns && inScale.has(scaleKey)) matched.add(scaleKey);
    const lost = owns && !inScale.has(scaleKey);
    const set = lost ? entry.set.difference(FieldSet.of(path)) : entry.set;
    if (!set.isEmpty) entries.set(key, { ...entry, set });
  }
  const path = paths.get(apiVersion);
  for (const [key, entry] of inScale) {
    if (path === undefined || matched.has(key) || !entry.set.has(replicasInScale)) continue;
    const identity = { ...entry.identity, apiVersion };
    const parentKey = managerKey(identity);
    // Times come from the object: an owner from the Scale has none, as upstream.
    const time = before.get(parentKey)?.time;
    const set = FieldSet.of(path).union(entries.get(parentKey)?.set ?? FieldSet.empty);
    entries.set(parentKey, { identity, version: apiVersion, applied: entry.applied, set, time });
  }
  return encodeManagedFields(entries);
}
