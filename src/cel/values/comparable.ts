import type { CelError } from './cel-error.ts';
import type { Value } from './value.ts';

/** What every value that JavaScript does not know by itself has in common: it can say whether it equals another. */
export abstract class Comparable {
  /** CEL's `==` for two values that are not both numbers. */
  abstract equals(other: Value): boolean | CelError;
}
