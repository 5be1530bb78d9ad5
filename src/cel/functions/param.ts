import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { CelDuration } from '../values/duration.ts';
import { isInt } from '../values/int.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { CelOptional } from '../values/optional.ts';
import { CelTimestamp } from '../values/timestamp.ts';
import { CelUint } from '../values/uint.ts';
import type { CelInt, Value } from '../values/value.ts';
import { isOfType } from './runtime-type.ts';
import * as types from '../types/type.ts';

/** A parameter: its type for the checker, and its run-time type test. */
export interface Param<V extends Value> {
  readonly type: types.Type;
  is(value: Value): value is V;
}

export const bool: Param<boolean> = { type: types.boolType, is: (value) => typeof value === 'boolean' };
export const int: Param<CelInt> = { type: types.intType, is: isInt };
export const string: Param<string> = { type: types.stringType, is: (value) => typeof value === 'string' };
export const uint: Param<CelUint> = instance(types.uintType, CelUint);
export const double: Param<CelDouble> = instance(types.doubleType, CelDouble);
export const bytes: Param<CelBytes> = instance(types.bytesType, CelBytes);
export const timestamp: Param<CelTimestamp> = instance(types.timestampType, CelTimestamp);
export const duration: Param<CelDuration> = instance(types.durationType, CelDuration);
export const nothing: Param<null> = { type: types.nullType, is: (value) => value === null };

/** A parameter that takes instances of one class. */
export function instance<V extends Value & object>(
  type: types.Type,
  ofClass: abstract new (...args: never[]) => V,
): Param<V> {
  return { type, is: (value): value is V => value instanceof ofClass };
}

/** A list with elements of a type; as in cel-go, only the first element is tested. */
export function list(element: types.Type): Param<CelList> {
  const type = types.listType(element);
  return { type, is: (value): value is CelList => value instanceof CelList && isOfType(value, type) };
}

/** The same for cel-go functions that test all elements. */
export function uncheckedList(element: types.Type): Param<CelList> {
  return instance(types.listType(element), CelList);
}

/** Any value, for functions that report wrong types themselves. */
export function unchecked(type: types.Type): Param<Value> {
  return { type, is: (value): value is Value => value !== undefined };
}

/** A map with keys and values of a type; only the first entry is tested. */
export function map(key: types.Type, value: types.Type): Param<CelMap> {
  const type = types.mapType(key, value);
  return { type, is: (given): given is CelMap => given instanceof CelMap && isOfType(given, type) };
}

export function optional(value: types.Type): Param<CelOptional> {
  return instance(types.optionalType(value), CelOptional);
}

/** Any value, for a type parameter or dyn. */
export function any(type: types.Type = types.dynType): Param<Value> {
  return unchecked(type);
}
