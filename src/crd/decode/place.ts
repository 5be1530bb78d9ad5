import { goJsonKind, type JsonValue } from '../../meta/index.ts';
import { CrdDecodeError } from './crd-decode-error.ts';

/** The expected type. */
interface GoTypeOfValue {
  readonly name: string;
  zero(): JsonValue;
  /** The actual value, if its kind alone does not say it: `number 1.5`. */
  readonly found?: string;
}

/**
 * The decoder's position in the document, in Go's two notations: unknown fields have a path (`spec.versions[0].foo`),
 * wrong types have the struct and its field names (`CustomResourceDefinitionVersion.spec.versions.served`).
 */
export class Place {
  readonly #path: string;
  readonly #struct: string;
  readonly #fields: string;
  /** Undefined if unknown fields are not collected, or if the type does not report them. */
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

  /** The document root; paths of unknown fields are added to the list. */
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

  /** The value of a map key. */
  key(key: string): Place {
    return this.#at(this.#pathOf(key));
  }

  /** An item of a list. */
  index(index: number): Place {
    return this.#at(`${this.#path}[${index}]`);
  }

  /**
   * The content of a type with its own decoder, such as the schema under `items`. Go starts a new decoder for it,
   * which reports no unknown fields and names the outer struct for every wrong type inside.
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

  /** Records a field that the struct does not have. */
  unknown(name: string): void {
    this.#unknownFields?.push(this.#pathOf(name));
  }

  /**
   * Reports a value of the wrong type and returns the value to use instead. Go continues and returns the first such
   * error, but an error inside a type with its own decoder ends the decoding.
   *
   * @throws {CrdDecodeError} inside such a type.
   */
  wrongType(value: JsonValue, goType: GoTypeOfValue): JsonValue {
    const found = goType.found ?? goJsonKind(value);
    const field = `${this.#struct}.${this.#fields}`;
    const text = `json: cannot unmarshal ${found} into Go struct field ${field} of type ${goType.name}`;
    return this.refuse(new CrdDecodeError(text), goType.zero());
  }

  /** Like {@link wrongType}, for any other reason. */
  refuse(error: CrdDecodeError, zero: JsonValue): JsonValue {
    if (this.#opaque) throw error;
    this.#refusals.push(error);
    return zero;
  }

  /**
   * Ends the decoding.
   *
   * @throws {CrdDecodeError} the first reported error.
   */
  finish(): void {
    const [first] = this.#refusals;
    if (first !== undefined) throw first;
  }
}
