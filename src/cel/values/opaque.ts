import { Comparable } from './comparable.ts';

/** A value of a library's own type (an IP address, a quantity), opaque to the rest of the language. */
export abstract class CelOpaque extends Comparable {
  /** The name of its type, as in `type(x)`. */
  abstract readonly typeName: string;
  /** Its size for run-time costs, if it has one. */
  size(): number | undefined {
    return undefined;
  }
}
