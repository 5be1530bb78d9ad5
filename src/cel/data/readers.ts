import type { DeclaredType } from '../types/declared-type.ts';
import { CelError } from '../values/cel-error.ts';
import { Comparable } from '../values/comparable.ts';
import { CelDouble } from '../values/double.ts';
import { CelOptional, optionalNone } from '../values/optional.ts';
import { CelUint } from '../values/uint.ts';
import type { Result, Value } from '../values/value.ts';
import { DataList } from './data-list.ts';
import { DataWeights } from './data-weight.ts';
import { DataMap } from './data-map.ts';
import { DataObject } from './data-object.ts';
import { MapKeyedList } from './map-keyed-list.ts';
import { PreservedJson } from './preserved-json.ts';
import { readScalar } from './scalars.ts';
import { SetList } from './set-list.ts';

/** Reads the caller's JSON as a value. */
type Reader = (raw: unknown) => Result;

const unexpectedNull = new CelError('invalid data, got null for schema with nullable=false');

/** True for instances of our value classes. */
function isValueObject(raw: unknown): raw is Value & object {
  return raw instanceof Comparable || raw instanceof CelDouble || raw instanceof CelUint;
}

/** Creates the reader of each declared type once, on first use. */
export class Readers {
  readonly weights = new DataWeights();
  readonly #byType = new Map<DeclaredType, Reader>();

  of(type: DeclaredType): Reader {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const read = this.#reader(type);
    const reader: Reader = (raw) => {
      if (raw === null) return type.nullable === true || isNullByItself(type) ? null : unexpectedNull;
      // Bindings that could not be computed are errors.
      return isValueObject(raw) || raw instanceof CelError ? raw : read(raw);
    };
    this.#byType.set(type, reader);
    return reader;
  }

  #reader(type: DeclaredType): Reader {
    switch (type.kind) {
      case 'list':
        return (raw) =>
          Array.isArray(raw)
            ? this.#list(raw, type)
            : new CelError('invalid data, expected an array for the provided schema with type=array');
      case 'map':
        return (raw) => (isPlainObject(raw) ? new DataMap(raw, this.of(type.values), this.weights) : notAMap);
      case 'object':
        return (raw) => (isPlainObject(raw) ? new DataObject(raw, type, this) : notAMap);
      case 'optional': {
        const value = this.of(type.value);
        return (raw) => (raw === undefined ? optionalNone : optionalOf(value(raw)));
      }
      case 'dyn':
        return (raw) => this.dyn(raw);
      case 'preserved':
        return (raw) => new PreservedJson(raw, this.weights);
      default:
        return (raw) => readScalar(type.kind, raw);
    }
  }

  #list(raw: readonly unknown[], type: DeclaredType & { kind: 'list' }): Result {
    const list = new DataList(raw, this.of(type.items), this.weights);
    if (type.listType === 'set') return new SetList(list);
    return type.listType === 'map' ? new MapKeyedList(list, keyFields(type)) : list;
  }

  /** Undeclared JSON: an integral number is an int, any other a double, and so is every `Number` object. */
  dyn(raw: unknown): Result {
    if (raw === null) return null;
    if (isValueObject(raw) || raw instanceof CelError) return raw;
    if (Array.isArray(raw)) return new DataList(raw, (item) => this.dyn(item), this.weights);
    if (typeof raw === 'number' && !Number.isSafeInteger(raw)) return new CelDouble(raw);
    if (raw instanceof Number) return new CelDouble(raw.valueOf());
    if (typeof raw === 'object') return new DataMap(raw as object, (item) => this.dyn(item), this.weights);
    return readScalar(
      typeof raw === 'number' || typeof raw === 'bigint'
        ? 'int'
        : typeof raw === 'boolean'
          ? 'bool'
          : 'string',
      raw,
    );
  }
}

const notAMap = new CelError('invalid data, expected a map for the provided schema with type=object');

function isNullByItself(type: DeclaredType): boolean {
  return type.kind === 'null' || type.kind === 'dyn';
}

function isPlainObject(raw: unknown): raw is object {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof Number);
}

function optionalOf(value: Result): Result {
  return value instanceof CelError ? value : new CelOptional(value);
}

/** The names in expressions of the properties that identify an element. */
function keyFields(type: DeclaredType & { kind: 'list' }): string[] {
  const { items, mapKeys } = type;
  if (items.kind !== 'object') return [...mapKeys];
  return mapKeys.map((key) => {
    for (const [name, field] of items.fields) if (field.property === key) return name;
    return key;
  });
}
