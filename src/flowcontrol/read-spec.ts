import { isObject, type JsonObject, type JsonValue, own } from '../meta/index.ts';

/** The objects of a list; empty if it is not a list. */
export function objectsOf(object: JsonObject, field: string): readonly JsonObject[] {
  const list = own(object, field);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The strings of a list; empty if it is not a list. */
export function textsOf(object: JsonObject, field: string): readonly string[] {
  const list = own(object, field);
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** A whole number; undefined for anything else. */
export function wholeNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
