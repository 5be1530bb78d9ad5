import { CelBytes } from './bytes.ts';
import { isError } from './cel-error.ts';
import { CelDouble } from './double.ts';
import { CelDuration, formatDuration } from './duration.ts';
import { CelList } from './list.ts';
import { CelMap } from './map.ts';
import { CelMessage } from './message.ts';
import { CelOptional } from './optional.ts';
import { CelTimestamp, formatTimestamp } from './timestamp.ts';
import { typeNameOf } from './type-name.ts';
import { CelUint } from './uint.ts';
import type { Result, Value } from './value.ts';

/** A value without JSON representation; the message names it. */
export class NotPlain extends Error {}

/** JSON values: objects, arrays, strings, booleans, numbers, large integers, null. */
export type PlainValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | PlainValue[]
  | { [key: string]: PlainValue };

/**
 * Converts a value to JSON: bytes as base64, durations in seconds (`1.5s`), timestamps as RFC 3339, an optional as its
 * value. The result is a copy.
 *
 * @param nullInMessage the replacement of null in messages; null if omitted
 * @throws {NotPlain} for an empty optional, a type, NaN or infinity, a map key that is not a string
 */
export function plainValue(value: Result, nullInMessage: () => PlainValue = () => null): PlainValue {
  return new PlainValues(nullInMessage).of(value);
}

class PlainValues {
  readonly #nullInMessage: () => PlainValue;
  #messages = 0;

  constructor(nullInMessage: () => PlainValue) {
    this.#nullInMessage = nullInMessage;
  }

  of(value: Result): PlainValue {
    if (isError(value)) throw new NotPlain(value.message);
    if (value === null) return this.#messages > 0 ? this.#nullInMessage() : null;
    if (typeof value !== 'object') return value;
    if (value instanceof CelDouble && Number.isFinite(value.value)) return value.value;
    if (value instanceof CelUint) return plainInt(value.value);
    if (value instanceof CelOptional && value.value !== undefined) return this.of(value.value);
    if (value instanceof CelList)
      return Array.from({ length: value.size }, (_, index) => this.of(value.at(index)));
    if (value instanceof CelMap) return this.#map(value);
    return value instanceof CelMessage ? this.#message(value) : plainText(value);
  }

  #message({ fields }: CelMessage): PlainValue {
    this.#messages += 1;
    const object = this.#object(fields);
    this.#messages -= 1;
    return object;
  }

  #map(map: CelMap): PlainValue {
    return this.#object(
      map.keys().map((key): [string, Result] => {
        if (typeof key !== 'string') throw new NotPlain(`map key of type ${typeNameOf(key)} is not string`);
        return [key, map.find(key) ?? null];
      }),
    );
  }

  /** `fromEntries` sets own properties, including `__proto__`. */
  #object(entries: Iterable<readonly [string, Result]>): PlainValue {
    return Object.fromEntries(Array.from(entries, ([name, value]) => [name, this.of(value)]));
  }
}

function plainInt(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function plainText(value: Value): string {
  if (value instanceof CelBytes) return Buffer.from(value.bytes).toString('base64');
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  throw new NotPlain(`type conversion not supported for '${typeNameOf(value)}'`);
}
