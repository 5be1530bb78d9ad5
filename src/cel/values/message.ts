import type { CelError } from './cel-error.ts';
import { weightOfAll } from './comparable.ts';
import { valuesEqual } from './equality.ts';
import { CelOpaque } from './opaque.ts';
import type { Value } from './value.ts';

/** The value of `Name{field: value}`. */
export class CelMessage extends CelOpaque {
  readonly typeName: string;
  /** The fields that were set, in order. */
  readonly fields: ReadonlyMap<string, Value>;
  readonly #weight: number;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
    this.#weight = weightOfAll(fields.values());
  }

  override weight(): number {
    return this.#weight;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelMessage) || other.typeName !== this.typeName) return false;
    if (other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name);
      const equal = theirs !== undefined && valuesEqual(value, theirs);
      if (equal !== true) return equal;
    }
    return true;
  }
}
