import type { CelError } from './cel-error.ts';
import { Comparable, weightOf, weightOfAll } from './comparable.ts';
import { CelDouble } from './double.ts';
import { resultsEqual } from './equality.ts';
import { intOf, maxInt, minInt } from './int.ts';
import { maxWeight, requireAtMost } from './too-large.ts';
import { CelUint, maxUint } from './uint.ts';
import type { Result, Value } from './value.ts';

/** A map. */
export abstract class CelMap extends Comparable {
  abstract readonly size: number;
  /** The value of a key, if any. */
  abstract find(key: Value): Result | undefined;
  abstract keys(): readonly Value[];

  override weight(): number {
    return 1 + this.size;
  }

  override get tellsErrors(): boolean {
    return true;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelMap) || other.size !== this.size) return false;
    for (const key of this.keys()) {
      const equal = this.entriesEqual(this.find(key), other.find(key));
      if (equal !== true) return equal;
    }
    return true;
  }

  /** Whether two maps have equal values for a key; undefined means no entry. */
  protected entriesEqual(left: Result | undefined, right: Result | undefined): boolean | CelError {
    if (left === undefined || right === undefined) return false;
    return resultsEqual(left, right);
  }
}

/** A map created by an expression, in the order of its keys. */
export class EntryMap extends CelMap {
  readonly #entries: ReadonlyMap<unknown, readonly [key: Value, value: Value]>;
  #weight: number;

  constructor(entries: ReadonlyMap<unknown, readonly [key: Value, value: Value]>) {
    super();
    this.#entries = entries;
    this.#weight = weightOfAll(Array.from(entries.values(), ([, value]) => value));
  }

  override weight(): number {
    return this.#weight;
  }

  /** For growing maps: counts one more value. */
  protected addWeight(value: Value): void {
    this.#weight += weightOf(value);
    requireAtMost(this.#weight, maxWeight);
  }

  /** A map of the entries; a later duplicate key wins. */
  static of(entries: Iterable<readonly [Value, Value]>): EntryMap {
    const byIdentity = new Map<unknown, readonly [Value, Value]>();
    for (const [key, value] of entries) byIdentity.set(keyIdentity(key), [key, value]);
    return new EntryMap(byIdentity);
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Value): Result | undefined {
    return this.#entries.get(keyIdentity(key))?.[1];
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }
}

/**
 * A key that is `===` for equal keys: the numbers 1, 1u and 1.0 are one key. Invalid keys represent themselves, and
 * equal no other.
 */
export function keyIdentity(key: Value): unknown {
  if (key instanceof CelUint) return key.value <= maxInt ? intOf(key.value) : key.value;
  return key instanceof CelDouble ? doubleIdentity(key) : key;
}

/** The integer of the same value; other numbers represent themselves, and NaN equals nothing. */
function doubleIdentity(key: CelDouble): unknown {
  const { value } = key;
  if (Number.isNaN(value)) return key;
  if (!Number.isInteger(value)) return value;
  const whole = BigInt(value);
  return whole < minInt || whole > maxUint ? value : whole <= maxInt ? intOf(whole) : whole;
}
