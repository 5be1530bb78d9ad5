import { equal, isObject, type JsonValue, type KubeObject, type Steps } from '../../meta/index.ts';
import { managedFieldsOf, withManagedFields, withoutManagedFields } from './field-write.ts';

/**
 * Where two objects differ only in the times of their managed fields, gives `next` with the times of `live`, so that
 * storing it is no change; otherwise gives `next` itself. To be called last before an update is stored. In steps.
 */
export function* keepTimesOfNoChange(live: KubeObject, next: KubeObject): Steps<KubeObject> {
  const before = managedFieldsOf(live);
  const after = managedFieldsOf(next);
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return next;
  if (equal(before, after)) return next;
  yield;
  const others = before.map(withoutTime);
  // Entries stand in the order of their times: those that moved may have changed places.
  const sameButTimes = after.map(withoutTime).every((entry) => takeEqual(others, entry));
  if (!sameButTimes) return next;
  yield;
  if (!equal(withoutManagedFields(live), withoutManagedFields(next))) return next;
  return withManagedFields(next, before);
}

/** Takes the value that is equal out of a list, if there is one. */
function takeEqual(values: JsonValue[], value: JsonValue): boolean {
  const index = values.findIndex((other) => equal(other, value));
  if (index >= 0) values.splice(index, 1);
  return index >= 0;
}

function withoutTime(entry: JsonValue): JsonValue {
  if (!isObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}
