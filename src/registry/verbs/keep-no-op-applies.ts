import {
  equal,
  formatGroupVersion,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  own,
  ownList,
  ownString,
} from '../../meta/index.ts';
import type { AppliedParts, NoOpApply } from '../representation/no-op-apply.ts';
import type { Endpoint } from '../../kinds/index.ts';
import type { ObjectTarget } from '../resource/target.ts';

/** The parts that a configuration depends on; undefined if it requires one revision of the object. */
export function appliedParts(
  configuration: KubeObject,
  { fieldManager, endpoint }: { readonly fieldManager: string; readonly endpoint: Endpoint },
): AppliedParts | undefined {
  if (Object.hasOwn(metadataOf(configuration), 'resourceVersion')) return undefined;
  const fields = Object.keys(configuration).filter((key) => !always.has(key));
  return { fields, manager: fieldManager === '' ? 'unknown' : fieldManager, endpoint };
}

const always: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A change of an object, in one version. */
interface ObjectChange {
  readonly target: ObjectTarget;
  readonly old: KubeObject;
  readonly object: KubeObject;
}

/**
 * The applies without effect on the old object that have none on the new one either: the change does not touch the
 * parts that they depend on. So a controller that writes status does not invalidate all configurations of an object.
 *
 * None if an update without changes could be refused: by a transition rule, or by a gate on fields. While a plugin
 * handles updates, no apply is answered from the cache. Applies with warnings are not kept either, because the
 * warnings may depend on what changed.
 */
export function keepNoOpApplies(
  idle: readonly NoOpApply[] | undefined,
  change: ObjectChange,
): readonly NoOpApply[] | undefined {
  if (idle === undefined || !mayCarry(change)) return undefined;
  const left = idle.filter((apply) => isBeside(apply, change));
  return left.length === 0 ? undefined : left;
}

function isBeside({ warnings, parts }: NoOpApply, { target, old, object }: ObjectChange): boolean {
  if (parts === undefined || warnings.length > 0) return false;
  if (!parts.fields.every((field) => isSame(own(old, field), own(object, field)))) return false;
  return isSame(entryOf(old, parts, target), entryOf(object, parts, target));
}

function mayCarry({ target, old, object }: ObjectChange): boolean {
  if (target.type.fieldGates !== undefined || target.version.schema().comparesWithOld) return false;
  return equal(withoutBookkeeping(metadataOf(old)), withoutBookkeeping(metadataOf(object)));
}

/** Metadata without the fields that every write changes and no configuration sets. */
function withoutBookkeeping(metadata: JsonObject): JsonObject {
  const { resourceVersion: _, managedFields: __, generation: ___, ...rest } = metadata;
  return rest;
}

function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return equal(before, after);
}

/** The fields that an applier owns; undefined if none. */
function entryOf(
  object: KubeObject,
  { manager, endpoint }: AppliedParts,
  { type, version }: ObjectTarget,
): JsonValue | undefined {
  const apiVersion = formatGroupVersion(type.group, version.name);
  return ownList(metadataOf(object), 'managedFields')?.find(
    (entry) =>
      isObject(entry) &&
      ownString(entry, 'manager') === manager &&
      ownString(entry, 'operation') === 'Apply' &&
      ownString(entry, 'apiVersion') === apiVersion &&
      (ownString(entry, 'subresource') ?? '') === endpoint,
  );
}
