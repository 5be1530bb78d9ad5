import { goJsonKind, type JsonObject, type JsonValue, type Steps } from '../../meta/index.ts';
import { MetadataTypeError } from '../../schema/index.ts';
import { PartedWork, type PartOfWork } from './parted-work.ts';

/** One decoding of an object as Go decodes into its types: where it is, and the first mistake that it met. */
export class TypedRun {
  /** The JSON names on the path to the current value, without indices and keys. */
  readonly path: string[] = [];
  /** Ignores errors: for objects that were stored without validation. */
  readonly #isLenient: boolean;
  readonly #scalarMaps = new Set<JsonObject>();
  readonly #work = new PartedWork();
  #first: { readonly order: number; readonly error: MetadataTypeError } | undefined;
  /** The position of the current value in the object: integers, plus one half for work deferred there. */
  #order = 0;

  constructor({ isLenient }: { readonly isLenient: boolean }) {
    this.#isLenient = isLenient;
  }

  /** Long maps that hold scalars only. */
  get scalarMaps(): ReadonlySet<JsonValue> {
    return this.#scalarMaps;
  }

  /** Notes a map whose values are scalars, or mistakes that end the run. */
  noteScalarMap(map: JsonObject): void {
    if (!this.#isLenient) this.#scalarMaps.add(map);
  }

  /** Records a value of the wrong type; Go's decoder continues, and reports the first one at the end. */
  mismatch(value: JsonValue, { struct, goType }: TypedPlace, kind = goJsonKind(value)): void {
    if (this.#isLenient) return;
    const field = `${struct}.${this.path.join('.')}`;
    this.note(`json: cannot unmarshal ${kind} into Go struct field ${field} of type ${goType}`);
  }

  /** Records an error with its own text, after which Go's decoder continues. */
  note(text: string): void {
    if (this.#isLenient || (this.#first !== undefined && this.#first.order <= this.#order)) return;
    this.#first = { order: this.#order, error: new MetadataTypeError(text) };
  }

  /** An error of a type with its own decoder, such as a quantity: decoding stops. */
  stop(text: string): void {
    if (!this.#isLenient) throw new MetadataTypeError(text, true);
  }

  /** The same for a value of the wrong type. */
  stopAtMismatch(value: JsonValue, place: TypedPlace, kind?: string): void {
    this.#first = undefined;
    this.mismatch(value, place, kind);
    this.#throwFirst();
  }

  /** Reads the members of a collection: now if they are few, else when the run is finished. */
  inParts(count: number, part: PartOfWork): void {
    if (!this.#work.isPutOff(count)) return part(0, count);
    const path = [...this.path];
    const order = this.#order + 0.5;
    this.#order += 1;
    this.#work.inParts(count, (from, to) => {
      this.path.splice(0, this.path.length, ...path);
      this.#order = order;
      part(from, to);
    });
  }

  /**
   * Reads what is left, in steps.
   *
   * @throws {MetadataTypeError} the first mistake in the order of the object
   */
  *finish(): Steps<void> {
    yield* this.#work.finish();
    this.#throwFirst();
  }

  #throwFirst(): void {
    if (this.#first !== undefined) throw this.#first.error;
  }
}

/** What Go calls the struct of a field, and the type of its values. */
export interface TypedPlace {
  readonly struct: string;
  readonly goType: string;
}
