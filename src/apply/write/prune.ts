import type { JsonValue } from '../../meta/index.ts';
import { withDeclaredFields } from '../typed/align-with-type.ts';
import { type Converting, inVersion, type VersionedValue } from './conversion.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { removeItems } from '../typed/select-items.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import {
  type KindVersions,
  type Managers,
  typeOrThrow,
  type VersionedSet,
} from '../managers/kind-versions.ts';

/** The inputs of pruning. */
interface Pruning {
  readonly kind: KindVersions;
  /** All managers, with the applier's new set. */
  readonly managers: Managers;
  readonly manager: string;
  /** The fields that the applier owned before. */
  readonly last: VersionedSet | undefined;
}

/**
 * Removes from the merged value the fields that the manager applied before, does not apply now, and that have no other owner.
 * Removing an item removes its content, unless someone owns the item itself.
 */
export function* prune(merged: VersionedValue, pruning: Pruning): Converting<VersionedValue> {
  const { kind, managers, manager, last } = pruning;
  const now = managers.get(manager);
  if (last === undefined || now === undefined || last.set.isEmpty) return merged;
  // If every path of the last set is applied again, nothing is pruned: each still has an owner.
  if (last.version === now.version && last.set.isWithin(now.set)) return merged;
  const before = yield* inVersion(merged, last.version);
  if (before === undefined) return merged;
  const type = typeOrThrow(kind, last.version);
  const lastSet = withDeclaredFields(last.set, type);
  const bare = { value: removeItems(type, before.value, lastSet), version: last.version };
  const kept = yield* addBackOwned(before, bare, pruning);
  const dangling = yield* inVersion(kept, last.version);
  if (dangling === undefined) return merged;
  const gone = declaredPaths(kind, before).difference(declaredPaths(kind, dangling)).intersection(lastSet);
  const pruned: VersionedValue = { value: removeItems(type, before.value, gone), version: last.version };
  return (yield* inVersion(pruned, now.version)) ?? merged;
}

/** Every path of a value, including declared fields. */
function declaredPaths(kind: KindVersions, object: VersionedValue): FieldSet {
  const type = typeOrThrow(kind, object.version);
  return withDeclaredFields(toFieldSet(type, object.value), type);
}

/**
 * Restores owned fields, version by version. The last applied version comes first: a conversion may need
 * fields that were removed.
 */
function* addBackOwned(
  merged: VersionedValue,
  bare: VersionedValue,
  { kind, managers }: Pruning,
): Converting<VersionedValue> {
  const owned = new Map<string, FieldSet>([[bare.version, FieldSet.empty]]);
  for (const { set, version } of managers.values()) {
    owned.set(version, (owned.get(version) ?? FieldSet.empty).union(set));
  }
  let whole = merged;
  let kept = bare;
  for (const [version, set] of owned) {
    if (set.isEmpty) continue;
    const wholeThere = yield* inVersion(whole, version);
    const keptThere = wholeThere === undefined ? undefined : yield* inVersion(kept, version);
    if (wholeThere === undefined || keptThere === undefined) continue;
    whole = wholeThere;
    kept = { value: putBack(kind, { whole, kept: keptThere, owned: set }), version };
  }
  return kept;
}

interface PutBack {
  readonly whole: VersionedValue;
  readonly kept: VersionedValue;
  readonly owned: FieldSet;
}

function putBack(kind: KindVersions, { whole, kept, owned }: PutBack): JsonValue {
  const type = typeOrThrow(kind, whole.version);
  const stays = declaredPaths(kind, kept).union(withDeclaredFields(owned, type));
  return removeItems(type, whole.value, declaredPaths(kind, whole).difference(stays));
}
