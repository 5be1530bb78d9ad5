import { equal, isObject, type JsonValue, type KubeObject, type Steps } from '../../meta/index.ts';
import { managedFieldsOf, withManagedFields, withoutManagedFields } from './field-write.ts';

/**
 * If two objects differ only in the times of their managed fields, returns `next` with the times of `live`, so that
 * storing it changes nothing; otherwise returns `next`. Call it last before an update is stored. Runs in steps.
 */
export function* keepTimesOfNoChange(live: KubeObject, next: KubeObject): Steps<KubeObject> {
  const before = managedFieldsOf(live);
  const after = managedFieldsOf(next);
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return next;
  if (equal(before, after)) return next;
  yield;
  const others = before.map(withoutTime);
  // Entries are ordered by time: entries with a new time may have changed places.
  const sameButTimes = after.map(withoutTime).every((entry) => takeEqual(others, entry));
  if (!sameButTimes) return next;
  yield;
  if (!equal(withoutManagedFields(live), withoutManagedFields(next))) return next;
  return withManagedFields(next, before);
}

/** Removes an equal value from a list, if there is one; returns whether there was. */
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
