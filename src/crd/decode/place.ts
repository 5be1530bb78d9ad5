import { goJsonKind, type JsonValue } from '../../meta/index.ts';
import { CrdDecodeError } from './crd-decode-error.ts';

/** What a value should have been. */
interface GoTypeOfValue {
  readonly name: string;
  zero(): JsonValue;
  /** What the value is, where its kind does not say it: `number 1.5`. */
  readonly found?: string;
}

/**
 * Where a decoder stands in the document, in the two ways that Go names places: unknown fields by their path
 * (`spec.versions[0].foo`), wrong types by the struct and its field names (`CustomResourceDefinitionVersion.spec.versions.served`).
 */
export class Place {
  readonly #path: string;
  readonly #struct: string;
  readonly #fields: string;
  /** Undefined where nobody asks for unknown fields, or the type hides them. */
  readonly #unknownFields: string[] | undefined;
  readonly #opaque: boolean;
  readonly #refusals: CrdDecodeError[];

  private constructor(init: {
    path: string;
    struct: string;
    fields: string;
    unknownFields: string[] | undefined;
    opaque: boolean;
    refusals: CrdDecodeError[];
  }) {
    this.#path = init.path;
    this.#struct = init.struct;
    this.#fields = init.fields;
    this.#unknownFields = init.unknownFields;
    this.#opaque = init.opaque;
    this.#refusals = init.refusals;
  }

  /** The document itself; paths of unknown fields are added to the list. */
  static root(unknownFields: string[] | undefined): Place {
    return new Place({ path: '', struct: '', fields: '', unknownFields, opaque: false, refusals: [] });
  }

  /** A field of a struct. */
  field(struct: string, name: string): Place {
    const path = this.#pathOf(name);
    return new Place({
      path,
      struct: this.#opaque ? this.#struct : struct,
      fields: this.#fields === '' ? name : `${this.#fields}.${name}`,
      unknownFields: this.#unknownFields,
      opaque: this.#opaque,
      refusals: this.#refusals,
    });
  }

  /** The value under a key of a map. */
  key(key: string): Place {
    return this.#at(this.#pathOf(key));
  }

  /** An item of a list. */
  index(index: number): Place {
    return this.#at(`${this.#path}[${index}]`);
  }

  /**
   * What a type with a decoder of its own holds, such as the schema under `items`. Go starts a decoder for it that
   * reports no unknown fields, and names the struct outside for everything that is wrong inside.
   */
  inside(): Place {
    return new Place({
      path: this.#path,
      struct: this.#struct,
      fields: this.#fields,
      unknownFields: undefined,
      opaque: true,
      refusals: this.#refusals,
    });
  }

  #at(path: string): Place {
    return new Place({
      path,
      struct: this.#struct,
      fields: this.#fields,
      unknownFields: this.#unknownFields,
      opaque: this.#opaque,
      refusals: this.#refusals,
    });
  }

  #pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  /** Notes a field that the struct does not have. */
  unknown(name: string): void {
    this.#unknownFields?.push(this.#pathOf(name));
  }

  /**
   * Refuses a value of the wrong type and gives what stands in its place. Go reads on and reports the first of them,
   * unless a decoder of a type of its own fails: that one ends it all.
   *
   * @throws {CrdDecodeError} inside such a type.
   */
  wrongType(value: JsonValue, goType: GoTypeOfValue): JsonValue {
    const found = goType.found ?? goJsonKind(value);
    const field = `${this.#struct}.${this.#fields}`;
    const text = `json: cannot unmarshal ${found} into Go struct field ${field} of type ${goType.name}`;
    return this.refuse(new CrdDecodeError(text), goType.zero());
  }

  /** As {@link wrongType}, for any other reason. */
  refuse(error: CrdDecodeError, zero: JsonValue): JsonValue {
    if (this.#opaque) throw error;
    this.#refusals.push(error);
    return zero;
  }

  /**
   * Ends the reading.
   *
   * @throws {CrdDecodeError} the first that was refused.
   */
  finish(): void {
    const [first] = this.#refusals;
    if (first !== undefined) throw first;
  }
}
