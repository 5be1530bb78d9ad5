import { Comparable } from './comparable.ts';

/** A value of a library's own type (an IP address, a quantity). Only its library looks inside. */
export abstract class CelOpaque extends Comparable {
  /** The name of its type as `type(x)` gives it. */
  abstract readonly typeName: string;
  /** What runtime cost counts as its size, for types that have one. */
  size(): number | undefined {
    return undefined;
  }
}
