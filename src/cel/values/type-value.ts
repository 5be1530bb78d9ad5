import { Comparable } from './comparable.ts';
import type { Value } from './value.ts';

/** A type as a value, the result of `type(x)`; two are equal by name. */
export class CelType extends Comparable {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  equals(other: Value): boolean {
    return other instanceof CelType && other.name === this.name;
  }
}
