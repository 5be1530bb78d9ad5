import { formatTime, type KubeObject } from '../../meta/index.ts';
import { capUpdateManagers } from '../managers/cap-managers.ts';
import type { Converting } from './conversion.ts';
import type { Comparison } from '../typed/compare.ts';
import { FieldSet } from '../field-set/field-set.ts';
import {
  carryOver,
  type FieldWriteOptions,
  identityOf,
  kindVersionsOf,
  withoutSystemFields,
} from './field-write.ts';
import type { ManagerEntries } from '../managers/managed-fields.ts';
import { managerKey } from '../managers/manager-identity.ts';
import { updateManagers } from './updater.ts';

/** The temporary manager name of a write, before it is joined with the fields that its manager owned already. */
const currentOperation = 'current-operation';

/** An object before and after an update, in the version of the update. */
interface ObjectChange {
  readonly live: KubeObject;
  readonly next: KubeObject;
  /** What differs, where that was computed before. */
  readonly compared?: Comparison;
}

/** Attributes the changes from `live` to `next` to the updater, and applies the limit on updaters. */
export function* trackUpdate(
  change: ObjectChange,
  entries: ManagerEntries,
  options: FieldWriteOptions,
): Converting<ManagerEntries> {
  const version = options.apiVersion;
  const compared = change.compared === undefined ? {} : { compared: change.compared };
  const sets = yield* updateManagers(
    { value: change.live, version },
    { value: change.next, version },
    { kind: kindVersionsOf(options), manager: currentOperation, managers: entries, ...compared },
  );
  yield;
  const tracked = carryOver(entries, sets);
  const gained = withoutSystemFields(sets.get(currentOperation)?.set ?? FieldSet.empty);
  if (!gained.isEmpty) {
    const identity = identityOf(options, 'Update');
    const key = managerKey(identity);
    const set = (tracked.get(key)?.set ?? FieldSet.empty).union(gained);
    tracked.set(key, { identity, version, applied: false, set, time: formatTime(options.nowMs) });
  }
  return capUpdateManagers(tracked);
}
