import type { CelError } from './cel-error.ts';
import { Comparable, weightOf } from './comparable.ts';
import { valuesEqual } from './equality.ts';
import type { Value } from './value.ts';

/** An optional value (CEL's `optional_type`); `undefined` stands for none, since null is a value. */
export class CelOptional extends Comparable {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }

  override weight(): number {
    return this.value === undefined ? 1 : weightOf(this.value);
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelOptional)) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return valuesEqual(this.value, other.value);
  }
}

/** The empty optional. */
export const optionalNone = new CelOptional(undefined);
