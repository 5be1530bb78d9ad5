import { goJsonKind, type JsonValue } from '../../meta/index.ts';
import { MetadataTypeError } from '../../schema/index.ts';

/** One decoding of an object as Go decodes into its types: where it is, and the first mistake that it met. */
export class TypedRun {
  /** The JSON names on the path to the current value, without indices and keys. */
  readonly path: string[] = [];
  /** Leaves mistakes alone: for objects that were stored before anything looked at them. */
  readonly #isLenient: boolean;
  #first: MetadataTypeError | undefined;

  constructor({ isLenient }: { readonly isLenient: boolean }) {
    this.#isLenient = isLenient;
  }

  /** Notes a value of the wrong type; Go's decoder goes on, and reports the first of them in the end. */
  mismatch(value: JsonValue, { struct, goType }: TypedPlace, kind = goJsonKind(value)): void {
    if (this.#isLenient) return;
    const field = `${struct}.${this.path.join('.')}`;
    this.#first ??= new MetadataTypeError(
      `json: cannot unmarshal ${kind} into Go struct field ${field} of type ${goType}`,
    );
  }

  /** Notes a mistake in words of its own that Go's decoder goes on after. */
  note(text: string): void {
    if (!this.#isLenient) this.#first ??= new MetadataTypeError(text);
  }

  /** A mistake of a type that reads itself, such as a quantity: nothing after it is looked at. */
  stop(text: string): void {
    if (!this.#isLenient) throw new MetadataTypeError(text, true);
  }

  /** The same for a value of the wrong type. */
  stopAtMismatch(value: JsonValue, place: TypedPlace, kind?: string): void {
    this.#first = undefined;
    this.mismatch(value, place, kind);
    if (this.#first !== undefined) throw this.#first;
  }

  /** @throws {MetadataTypeError} the first mistake */
  finish(): void {
    if (this.#first !== undefined) throw this.#first;
  }
}

/** What Go calls the struct of a field, and the type of its values. */
export interface TypedPlace {
  readonly struct: string;
  readonly goType: string;
}
