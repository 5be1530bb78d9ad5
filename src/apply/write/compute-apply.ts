import {
  badRequestError,
  equal,
  formatTime,
  invariant,
  isObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  nameOf,
  namespaceOf,
  ownObject,
  ownString,
  parseGroupVersion,
  StatusError,
} from '../../meta/index.ts';
import { ApplyConflictError } from '../managers/conflict.ts';
import { type Converting, withoutConversions } from './conversion.ts';
import { FieldSet } from '../field-set/field-set.ts';
import type { KnownSets } from '../field-set/fields-v1.ts';
import {
  carryOver,
  emptyObjectOf,
  type FieldWriteOptions,
  identityOf,
  kindVersionsOf,
  managedFieldsOf,
  withManagedFields,
  withoutManagedFields,
  withoutSystemFields,
} from './field-write.ts';
import { typeOrThrow } from '../managers/kind-versions.ts';
import {
  allowedByLastApplied,
  kubectlManager,
  lastAppliedAnnotation,
  refreshLastApplied,
} from './last-applied.ts';
import {
  decodeManagedFields,
  encodeManagedFieldsInSteps,
  type ManagerEntries,
} from '../managers/managed-fields.ts';
import { managerKey } from '../managers/manager-identity.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { trackUpdate } from './track-update.ts';
import { problemsText } from '../typed/typed-error.ts';
import { type Applied, applyConfiguration, FieldConflictsError } from './updater.ts';
import { checkTyped } from '../typed/validate.ts';

/** An apply, which may conflict. */
export interface ApplyOptions extends FieldWriteOptions {
  /** The kind of the endpoint. */
  readonly kind: string;
  /** Takes fields from other owners on conflicts. */
  readonly force: boolean;
  /** The configuration for kubectl's last-applied annotation, if it differs from the applied one. */
  readonly shownAsApplied?: KubeObject;
}

/** The result of an apply. */
export interface ApplyResult {
  /**
   * The merged object with its managed fields, not defaulted. It shares parts with the live object and the
   * configuration.
   */
  readonly object: KubeObject;
  /** False if neither the object nor its managers changed. */
  readonly changed: boolean;
}

const beforeFirstApplyManager = 'before-first-apply';

/** The computation of `apply`; see there. */
export function* computeApply(
  live: KubeObject | undefined,
  applied: KubeObject,
  options: ApplyOptions,
): Converting<ApplyResult> {
  const liveList = managedFieldsOf(live);
  const stored = readManagers(liveList, options.knownSets);
  checkKind(applied, options);
  const from = withoutManagedFields(live ?? emptyObjectOf(applied));
  const type = typeOrThrow(options, options.apiVersion);
  if (stored.size === 0) requireTyped(type, from, existingObject);
  checkNoManagedFields(applied);
  yield;
  requireTyped(type, applied, patchObject);
  yield;
  requireTyped(type, from, liveObject);
  yield;
  const entries = stored.size > 0 ? stored : yield* trackExisting(from, options);
  const done = yield* applyOnce({ live: from, applied, entries, type }, options);
  yield;
  const managers = stampApplier(entries, done, options);
  const list = (yield* withoutConversions(encodeManagedFieldsInSteps(managers))) ?? null;
  yield;
  const merged = done.value === undefined ? from : asObject(done.value);
  const object = refreshed(withManagedFields(merged, list), options.shownAsApplied ?? applied, options);
  const changed = done.value !== undefined || !equal(list, liveList ?? null) || object.annotated;
  return { object: object.object, changed };
}

function readManagers(list: JsonValue | undefined, known: KnownSets | undefined): ManagerEntries {
  try {
    return decodeManagedFields(list, known);
  } catch (error) {
    throw errorWithoutReason(
      `failed to decode managed fields: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** As upstream, an error without a status becomes 500 with its message. */
function errorWithoutReason(message: string): StatusError {
  return new StatusError({ code: 500, message });
}

function checkKind(applied: KubeObject, options: ApplyOptions): void {
  const apiVersion = ownString(applied, 'apiVersion') ?? '';
  const kind = ownString(applied, 'kind') ?? '';
  if (apiVersion === options.apiVersion && kind === options.kind) return;
  throw badRequestError(`invalid object type: ${kindText(apiVersion, kind)}`);
}

function checkNoManagedFields(applied: KubeObject): void {
  const list = managedFieldsOf(applied);
  if (list !== undefined && list !== null) throw badRequestError('metadata.managedFields must be nil');
}

/** `g/v, Kind=K`; the core group prints as an empty string before the slash. */
function kindText(apiVersion: string, kind: string): string {
  const found = parseGroupVersion(apiVersion);
  return found === undefined ? '/, Kind=' : `${found.group}/${found.version}, Kind=${kind}`;
}

/** Checks an object against its type, with upstream's messages. */
interface CheckedObject {
  readonly allowDuplicates: boolean;
  /** The beginning of the message; `where` is `ns/name; g/v, Kind=K`. */
  text(where: string): string;
}

const existingObject: CheckedObject = {
  allowDuplicates: true,
  text: (where) =>
    `failed to create manager for existing fields: failed to convert new object (${where}) to smd typed`,
};
const patchObject: CheckedObject = {
  allowDuplicates: false,
  text: (where) => `failed to create typed patch object (${where})`,
};
const liveObject: CheckedObject = {
  allowDuplicates: true,
  text: (where) => `failed to create typed live object (${where})`,
};

function requireTyped(type: MergeType, object: KubeObject, { allowDuplicates, text }: CheckedObject): void {
  const problems = checkTyped(type, object, { allowDuplicates });
  if (problems.length === 0) return;
  const what = kindText(ownString(object, 'apiVersion') ?? '', ownString(object, 'kind') ?? '');
  throw errorWithoutReason(
    `${text(`${namespaceOf(object)}/${nameOf(object)}; ${what}`)}: ${problemsText(problems)}`,
  );
}

/**
 * Before the first apply an object may have no managers; its fields then belong to one artificial manager, so that
 * applies conflict.
 */
function* trackExisting(live: KubeObject, options: ApplyOptions): Converting<ManagerEntries> {
  const change = { live: emptyObjectOf(live), next: live };
  return yield* trackUpdate(change, new Map(), { ...options, manager: beforeFirstApplyManager });
}

interface Application {
  readonly live: KubeObject;
  readonly applied: KubeObject;
  readonly entries: ManagerEntries;
  readonly type: MergeType;
}

/** Applies. kubectl may take fields without force that it applied client-side before. */
function* applyOnce(application: Application, options: ApplyOptions): Converting<Applied> {
  const { live, applied, entries, type } = application;
  const version = options.apiVersion;
  const write = {
    kind: kindVersionsOf(options),
    manager: managerKey(identityOf(options, 'Apply')),
    managers: entries,
  };
  const run = (force: boolean) =>
    applyConfiguration({ value: live, version }, { value: applied, version }, { ...write, force });
  try {
    return yield* run(options.force);
  } catch (error) {
    if (!(error instanceof FieldConflictsError)) throw error;
    const allowed =
      options.manager === kubectlManager
        ? allowedByLastApplied(live, { apiVersion: version, type })
        : undefined;
    const { conflicts } = error;
    const left = allowed === undefined ? conflicts : conflicts.filter(({ path }) => !allowed.has(path));
    if (left.length > 0) throw conflictError(left, entries);
  }
  return yield* run(true);
}

function conflictError(
  conflicts: FieldConflictsError['conflicts'],
  entries: ManagerEntries,
): ApplyConflictError {
  return new ApplyConflictError(
    conflicts.flatMap(({ manager, path }) => {
      const entry = entries.get(manager);
      return entry === undefined ? [] : [{ owner: entry.identity, path }];
    }),
  );
}

/** Sets the applier's entry: without system fields, with a new time only if the object changed. */
function stampApplier(entries: ManagerEntries, done: Applied, options: ApplyOptions): ManagerEntries {
  const managers = carryOver(entries, done.managers);
  const identity = identityOf(options, 'Apply');
  const key = managerKey(identity);
  const before = entries.get(key);
  const set = withoutSystemFields(done.managers.get(key)?.set ?? FieldSet.empty);
  managers.delete(key);
  if (set.isEmpty) return managers;
  const same = before?.set.equals(set) === true;
  managers.set(key, {
    identity,
    version: options.apiVersion,
    applied: true,
    // The decoded set keeps its document, which saves encoding it.
    set: same ? before.set : set,
    time: done.value === undefined ? before?.time : formatTime(options.nowMs),
  });
  return managers;
}

/**
 * A merged object always has apiVersion and kind: every configuration has them, and they have no owners, so they are
 * never pruned.
 */
function asObject(value: JsonValue): KubeObject {
  invariant(isObject(value), 'the result of an apply is an object');
  return value;
}

function refreshed(
  object: KubeObject,
  applied: KubeObject,
  options: ApplyOptions,
): { readonly object: KubeObject; readonly annotated: boolean } {
  const annotations = ownObject(metadataOf(object), 'annotations');
  const before = annotations === undefined ? undefined : ownString(annotations, lastAppliedAnnotation);
  if (
    options.manager !== kubectlManager ||
    annotations === undefined ||
    before === undefined ||
    before === ''
  ) {
    return { object, annotated: false };
  }
  const copy = { ...object, metadata: { ...metadataOf(object), annotations: { ...annotations } } };
  refreshLastApplied(copy, applied);
  return { object: copy, annotated: copy.metadata.annotations[lastAppliedAnnotation] !== before };
}
