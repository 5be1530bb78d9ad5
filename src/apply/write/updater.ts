import { equal, type JsonValue, type Steps } from '../../meta/index.ts';
import { alignWithType } from '../typed/align-with-type.ts';
import { type Comparison, compareTypedInSteps, excludeFields, isSame } from '../typed/compare.ts';
import { type Converting, inVersion, type VersionedValue, withoutConversions } from './conversion.ts';
import { FieldSet } from '../field-set/field-set.ts';
import {
  type KindVersions,
  type Managers,
  typeOrThrow,
  type VersionedSet,
} from '../managers/kind-versions.ts';
import { mergeTypedInSteps } from '../typed/merge.ts';
import type { Path } from '../field-set/path-element.ts';
import { prune } from './prune.ts';
import { toFieldSet } from '../typed/to-field-set.ts';

/** A field that another manager owns with another value. */
interface FieldConflict {
  /** The owner's identity. */
  readonly manager: string;
  readonly path: Path;
}

/** An apply without force found conflicts; nothing was changed. */
export class FieldConflictsError extends Error {
  override readonly name = 'FieldConflictsError';
  readonly conflicts: readonly FieldConflict[];

  constructor(conflicts: readonly FieldConflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

/** A write and the manager that it is attributed to. */
interface ManagedWrite {
  readonly kind: KindVersions;
  readonly manager: string;
  readonly managers: Managers;
  /** What differs in the version of the write, where that was computed before. */
  readonly compared?: Comparison;
}

/**
 * Attributes an update to a manager: it gains the added and modified fields; all others lose the modified and removed
 * ones. Never conflicts.
 */
export function* updateManagers(
  live: VersionedValue,
  next: VersionedValue,
  write: ManagedWrite,
): Converting<Managers> {
  const { kind, manager, compared } = write;
  const managers = alignAll(write.managers, kind);
  const change = yield* settle({ live, next, kind, managers, manager, compared, force: true });
  yield;
  const before = managers.get(manager)?.set ?? FieldSet.empty;
  const gained = before.difference(change.removed).union(change.modified).union(change.added);
  store(managers, manager, {
    set: exclude(gained, kind, next.version),
    version: next.version,
    applied: false,
  });
  return managers;
}

/** The result of an apply: the merged value; undefined if nothing changes. */
export interface Applied {
  readonly value: JsonValue | undefined;
  readonly managers: Managers;
}

/**
 * Merges a configuration into the live value, removes what the manager applied before and no manager owns any more, and
 * makes the manager own exactly the configuration's fields.
 *
 * @throws {FieldConflictsError} if others own a field with another value and `force` is not set.
 */
export function* applyConfiguration(
  live: VersionedValue,
  configuration: VersionedValue,
  write: ManagedWrite & { readonly force: boolean },
): Converting<Applied> {
  const { kind, manager } = write;
  const { version } = configuration;
  const type = typeOrThrow(kind, version);
  const managers = alignAll(write.managers, kind);
  yield;
  const merging = mergeTypedInSteps(type, live.value, configuration.value);
  const merged = { value: yield* withoutConversions(merging), version };
  const last = managers.get(manager);
  yield;
  const set = exclude(toFieldSet(type, configuration.value), kind, version);
  yield;
  managers.set(manager, { set, version, applied: true });
  const next = yield* prune(merged, { kind, managers, manager, last });
  yield;
  yield* settle({ live, next, kind, managers, manager, force: write.force });
  yield;
  dropEmpty(managers);
  const unchanged = next.value === live.value || equal(next.value, live.value);
  return { value: unchanged ? undefined : next.value, managers };
}

/** The managers of versions that still exist, with their sets aligned with the current types. */
function alignAll(managers: Managers, kind: KindVersions): Map<string, VersionedSet> {
  const aligned = new Map<string, VersionedSet>();
  for (const [manager, owned] of managers) {
    const type = kind.typeOf(owned.version);
    if (type === undefined) continue;
    const set = alignWithType(owned.set, type);
    aligned.set(manager, set === owned.set ? owned : { ...owned, set });
  }
  return aligned;
}

function exclude(set: FieldSet, kind: KindVersions, version: string): FieldSet {
  return set.recursiveDifference(kind.ignored?.get(version) ?? FieldSet.empty);
}

function store(managers: Map<string, VersionedSet>, manager: string, owned: VersionedSet): void {
  if (owned.set.isEmpty) managers.delete(manager);
  else managers.set(manager, owned);
}

function dropEmpty(managers: Map<string, VersionedSet>): void {
  for (const [manager, owned] of managers) if (owned.set.isEmpty) managers.delete(manager);
}

interface Settlement {
  readonly live: VersionedValue;
  readonly next: VersionedValue;
  readonly kind: KindVersions;
  /** Changed in place. */
  readonly managers: Map<string, VersionedSet>;
  readonly manager: string;
  readonly compared?: Comparison | undefined;
  readonly force: boolean;
}

/** Removes the changed fields from all other managers; returns the comparison in the write's own version. */
function* settle(settlement: Settlement): Converting<Comparison> {
  const { live, next, kind, managers, manager, compared, force } = settlement;
  const changes = new Map<string, Comparison | undefined>();
  const own =
    compared === undefined
      ? yield* withoutConversions(compareIn(kind, next.version, live.value, next.value))
      : withoutIgnored(compared, kind, next.version);
  changes.set(next.version, own);
  yield;
  const losses = new Map<string, FieldSet>();
  const conflicts: FieldConflict[] = [];
  for (const [other, owned] of [...managers]) {
    if (other === manager) continue;
    if (!changes.has(owned.version)) changes.set(owned.version, yield* changeIn(settlement, owned.version));
    const change = changes.get(owned.version);
    if (change === undefined) {
      managers.delete(other);
      continue;
    }
    const taken = owned.set.intersection(change.modified.union(change.added));
    for (const path of force ? [] : taken.paths()) conflicts.push({ manager: other, path });
    losses.set(other, taken.union(change.removed));
  }
  if (conflicts.length > 0) throw new FieldConflictsError(conflicts);
  for (const [other, lost] of losses) lose(managers, other, lost);
  return own;
}

function lose(managers: Map<string, VersionedSet>, manager: string, lost: FieldSet): void {
  const owned = managers.get(manager);
  if (owned === undefined) return;
  const set = owned.set.difference(lost);
  if (set !== owned.set) store(managers, manager, { ...owned, set });
}

/** The change in another version; undefined if that version does not exist. */
function* changeIn({ live, next, kind }: Settlement, version: string): Converting<Comparison | undefined> {
  if (live.value === next.value && live.version === next.version) {
    return yield* withoutConversions(compareIn(kind, version, null, null));
  }
  const before = yield* inVersion(live, version);
  const after = before === undefined ? undefined : yield* inVersion(next, version);
  if (before === undefined || after === undefined) return undefined;
  return yield* withoutConversions(compareIn(kind, version, before.value, after.value));
}

function* compareIn(
  kind: KindVersions,
  version: string,
  before: JsonValue,
  after: JsonValue,
): Steps<Comparison> {
  const change = yield* compareTypedInSteps(typeOrThrow(kind, version), before, after);
  return withoutIgnored(change, kind, version);
}

function withoutIgnored(change: Comparison, kind: KindVersions, version: string): Comparison {
  return isSame(change) ? change : excludeFields(change, kind.ignored?.get(version));
}
