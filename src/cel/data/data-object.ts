import { fieldOf, type ObjectDeclaration } from '../types/declared-type.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import { CelMap } from '../values/map.ts';
import type { Result, Value } from '../values/value.ts';
import { jsonEqual } from './json-equal.ts';
import { own } from './own.ts';
import { LazyFields } from './lazy-fields.ts';
import type { Readers } from './readers.ts';

/** A caller's object with declared fields, read in place. Undeclared fields are invisible. */
export class DataObject extends CelMap {
  readonly #object: object;
  readonly #type: ObjectDeclaration;
  readonly #readers: Readers;

  constructor(object: object, type: ObjectDeclaration, readers: Readers) {
    super();
    this.#object = object;
    this.#type = type;
    this.#readers = readers;
  }

  override weight(): number {
    return this.#readers.weights.of(this.#object);
  }

  get size(): number {
    return this.#object instanceof LazyFields ? this.#type.fields.size : Object.keys(this.#object).length;
  }

  /** The value of a field; null counts as absent. */
  find(key: Value): Result | undefined {
    if (typeof key !== 'string') return new CelError('no such overload');
    const field = fieldOf(this.#type, key);
    if (field === undefined) return undefined;
    const raw = this.#raw(field.property);
    if (raw === undefined || (raw === null && field.keepsNull !== true)) return undefined;
    return this.#readers.of(field.type)(raw);
  }

  keys(): readonly Value[] {
    const names: string[] = [];
    for (const [name, { property }] of this.#type.fields)
      if (this.#object instanceof LazyFields || Object.hasOwn(this.#object, property)) names.push(name);
    return names;
  }

  /** The caller's value of a declared field. */
  #raw(property: string): unknown {
    const object = this.#object;
    return object instanceof LazyFields ? Reflect.get(object, property) : own(object, property);
  }

  /** Undeclared properties are compared as JSON and, as upstream, only if both objects have them. */
  override equals(other: Value): boolean | CelError {
    const declared = super.equals(other);
    if (declared !== true) return declared;
    const { properties } = this.#type;
    for (const property of Object.keys(this.#object)) {
      if (properties.has(property)) continue;
      if (!(other instanceof DataObject)) return noSuchOverload;
      if (!Object.hasOwn(other.#object, property)) continue;
      if (!jsonEqual(own(this.#object, property), own(other.#object, property))) return false;
    }
    return true;
  }

  /** A field that is null in both is equal. */
  protected override entriesEqual(left: Result | undefined, right: Result | undefined): boolean | CelError {
    return (left === undefined && right === undefined) || super.entriesEqual(left, right);
  }
}
