import { lookUp } from '../interpreter/attributes.ts';
import { Interrupted, turnsPerCheck } from '../interpreter/interrupt.ts';
import { CelError } from '../values/cel-error.ts';
import { Comparable } from '../values/comparable.ts';
import { CelDouble } from '../values/double.ts';
import { valuesEqual } from '../values/equality.ts';
import { ArrayList, CelList } from '../values/list.ts';
import { CelMap, EntryMap, keyIdentity } from '../values/map.ts';
import { CelMessage } from '../values/message.ts';
import { CelOptional, optionalNone } from '../values/optional.ts';
import { codePointLength, compareStrings } from '../values/text.ts';
import { finished, finishedBool } from './finished.ts';
import { comparisonCost, scanCost } from './texts.ts';
import type { Result, Value } from '../values/value.ts';

/** Reads the caller's JSON as a value. */
type Read = (raw: unknown) => Result;

/** Thrown by generated code in unusual cases: the interpreter then evaluates the expression. */
export class Bail extends Error {}

/** A preallocated instance: creating an error per throw would take longer than the interpreter. */
const bail = new Bail('left to the interpreter');

/** The loop cost between two checks for interruption; an iteration costs at least 4. */
const costPerCheck = 4 * turnsPerCheck;

/**
 * Everything that generated code may call. Nothing else is in its scope: its names are generated, and its constants are
 * in a list.
 */
export const runtime = {
  bail,
  finished,
  finishedBool,
  len: codePointLength,
  compareStrings,
  scanCost,
  comparisonCost,
  keyIdentity,
  hasOwn: Object.hasOwn,
  Object,
  isInt: Number.isSafeInteger,
  isArray: Array.isArray,
  ceil: Math.ceil,
  trunc: Math.trunc,
  keysOf: Object.keys,

  /** Checks the limits on cost and time; returns the cost at which to check again. */
  nextCheck(cost: number, limit: number, interrupt: (() => boolean) | undefined): number {
    if (cost > limit) throw bail;
    if (interrupt === undefined) return limit;
    if (cost > 0 && interrupt()) throw new Interrupted();
    return Math.min(limit, cost + costPerCheck);
  },

  /** A plain object of the caller, and no value class. */
  isData(raw: unknown): boolean {
    return (
      typeof raw === 'object' &&
      raw !== null &&
      !Array.isArray(raw) &&
      !(raw instanceof Comparable) &&
      !(raw instanceof Number)
    );
  },

  /** A result that is not an error. */
  ok(result: Result | undefined): Value {
    if (result === undefined || result instanceof CelError) throw bail;
    return result;
  },

  equal(left: Value, right: Value): boolean {
    const equal = valuesEqual(left, right);
    if (typeof equal !== 'boolean') throw bail;
    return equal;
  },

  /** `!=` is true for values that cannot be compared. */
  different(left: Value, right: Value): boolean {
    return valuesEqual(left, right) !== true;
  },

  find(object: Value, key: Value): Value {
    const found = lookUp(object, key);
    if (found === undefined || found instanceof CelError) throw bail;
    return found;
  },

  has(object: Value, key: Value): boolean {
    const found = lookUp(object, key);
    if (found instanceof CelError) throw bail;
    return found !== undefined;
  },

  /** A field of undeclared JSON that is no plain object, or of a value; undefined if it is absent. */
  peek(raw: unknown, field: string, read: Read): unknown {
    const object = read(raw);
    if (object instanceof CelOptional || object instanceof CelError) throw bail;
    const found = lookUp(object, field);
    if (found instanceof CelError) throw bail;
    return found;
  },

  /** An entry of undeclared JSON or of a value; undefined if it is absent. */
  entry(raw: unknown, key: string, read: Read): unknown {
    const object = Object(raw);
    if (object.constructor !== Object) return runtime.peek(raw, key, read);
    return Object.hasOwn(object, key) ? object[key] : undefined;
  },

  /** The same for an element of a list. */
  element(raw: unknown, index: number, read: Read): unknown {
    if (Array.isArray(raw)) return raw[index];
    const found = lookUp(runtime.ok(read(raw)), index);
    if (found instanceof CelError || raw instanceof CelOptional) throw bail;
    return found;
  },

  /** The keys of a plain object, the only other JSON than a list that has elements. */
  plainKeys(raw: unknown): readonly string[] {
    const object = Object(raw);
    if (raw === null || object.constructor !== Object) throw bail;
    return Object.keys(object);
  },

  /** A field or index that may be absent or behind an optional. */
  findOptional(object: Value, key: Value): CelOptional {
    const inner = object instanceof CelOptional ? object.value : object;
    const found = inner === undefined ? undefined : lookUp(inner, key);
    if (found instanceof CelError) throw bail;
    return found === undefined ? optionalNone : new CelOptional(found);
  },

  double(value: number): CelDouble {
    return new CelDouble(value);
  },

  /** The number in a double. */
  number(value: unknown): number {
    if (value instanceof CelDouble) return value.value;
    throw bail;
  },

  list(values: Value[]): CelList {
    return new ArrayList(values);
  },

  map(entries: (readonly [Value, Value])[]): CelMap {
    return EntryMap.of(entries);
  },

  message(typeName: string, fields: (readonly [string, Value])[]): CelMessage {
    return new CelMessage(typeName, new Map(fields));
  },

  isList(value: unknown): boolean {
    return value instanceof CelList;
  },

  isMap(value: unknown): boolean {
    return value instanceof CelMap;
  },

  isOptional(value: unknown): boolean {
    return value instanceof CelOptional;
  },
} as const;
