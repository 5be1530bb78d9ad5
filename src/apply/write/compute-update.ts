import { equal, isObject, type JsonValue, type KubeObject, metadataString } from '../../meta/index.ts';
import { compareTypedInSteps, isSame } from '../typed/compare.ts';
import { type Converting, withoutConversions } from './conversion.ts';
import {
  emptyObjectOf,
  type FieldWriteOptions,
  managedFieldsOf,
  withManagedFields,
  withoutManagedFields,
} from './field-write.ts';
import type { KnownSets } from '../field-set/fields-v1.ts';
import { typeOrThrow } from '../managers/kind-versions.ts';
import {
  decodeManagedFields,
  encodeManagedFieldsInSteps,
  type ManagerEntry,
} from '../managers/managed-fields.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { trackUpdate } from './track-update.ts';
import { TypedError } from '../typed/typed-error.ts';
import { checkTyped } from '../typed/validate.ts';

/**
 * The computation of `update`: the new object with managed fields that attribute the changes to the updater. Never
 * fails: if the managers cannot be computed, the live ones stay.
 */
export function* computeUpdate(
  live: KubeObject | undefined,
  next: KubeObject,
  options: FieldWriteOptions,
): Converting<KubeObject> {
  try {
    return yield* attribute(live, next, options);
  } catch (error) {
    options.onFrozen?.(error);
    return withManagedFields(next, managedFieldsOf(live));
  }
}

function* attribute(
  live: KubeObject | undefined,
  next: KubeObject,
  options: FieldWriteOptions,
): Converting<KubeObject> {
  const from = withoutManagedFields(live ?? emptyObjectOf(next));
  const to = withoutManagedFields(next);
  const liveList = managedFieldsOf(live);
  const source = sourceOf(liveList, managedFieldsOf(next), options);
  const type = typeOrThrow(options, options.apiVersion);
  // An update without changes keeps the managers, so most writes of controllers decode no field set.
  yield;
  const mayBeSame = source.isLive && live !== undefined;
  const compared = mayBeSame ? yield* withoutConversions(compareTypedInSteps(type, from, to)) : undefined;
  if (compared !== undefined && isSame(compared)) return withManagedFields(to, liveList);
  yield;
  const entries = source.entries();
  yield;
  // An object without managers stays without until the first apply; a new object is tracked from the start.
  if (entries.size === 0 && metadataString(from, 'uid') !== '') return to;
  requireTyped(type, from);
  yield;
  requireTyped(type, to, from);
  yield;
  const change = { live: from, next: to, ...(compared === undefined ? {} : { compared }) };
  const tracked = yield* trackUpdate(change, entries, options);
  yield;
  return withManagedFields(to, yield* withoutConversions(encodeManagedFieldsInSteps(tracked)));
}

/** @param beside a validated object that shares parts with this one */
function requireTyped(type: MergeType, object: KubeObject, beside: KubeObject | null = null): void {
  const problems = checkTyped(type, object, { allowDuplicates: true, beside });
  if (problems.length > 0) throw new TypedError(problems);
}

/** The managers before a write, and their source. */
interface Source {
  /** True if they are those of the live object. */
  readonly isLive: boolean;
  entries(): ReadonlyMap<string, ManagerEntry>;
}

/**
 * Clients may rewrite managed fields through the main endpoint: `[]` or `[{}]` removes all managers; a valid list
 * replaces the live one. Anything else, and every subresource, starts from the live object.
 */
function sourceOf(
  live: JsonValue | undefined,
  sent: JsonValue | undefined,
  { subresource = '', knownSets }: FieldWriteOptions,
): Source {
  const fromLive: Source = { isLive: true, entries: () => decodeOr(live, new Map(), knownSets) };
  if (subresource !== '' || sent === undefined || sent === null || equal(sent, live)) return fromLive;
  if (isReset(sent)) return { isLive: false, entries: () => new Map() };
  const decoded = decodeOr(sent, undefined);
  return decoded === undefined || decoded.size === 0 ? fromLive : { isLive: false, entries: () => decoded };
}

function isReset(sent: JsonValue): boolean {
  if (!Array.isArray(sent)) return false;
  const [only] = sent;
  return sent.length === 0 || (sent.length === 1 && isObject(only) && Object.keys(only).length === 0);
}

function decodeOr<T>(
  list: JsonValue | undefined,
  otherwise: T,
  known?: KnownSets,
): ReadonlyMap<string, ManagerEntry> | T {
  try {
    return decodeManagedFields(list, known);
  } catch {
    // An invalid list is ignored, whatever the reason.
    return otherwise;
  }
}
