/**
 * An object whose fields are computed when they are first read. The fields are accessors of its class, so that making
 * one for each evaluation costs little.
 */
export abstract class LazyFields {
  readonly #compute: (index: number) => unknown;
  readonly #known: unknown[] = [];

  /** @param compute returns the value of a field, by its index in the list of names */
  constructor(compute: (index: number) => unknown) {
    this.#compute = compute;
  }

  /** The class of the objects with some fields. */
  static withFields(names: readonly string[]): new (compute: (index: number) => unknown) => LazyFields {
    class Fields extends LazyFields {}
    for (const [index, name] of names.entries()) {
      Object.defineProperty(Fields.prototype, name, {
        configurable: true,
        get: function (this: Fields) {
          return LazyFields.#read(this, index);
        },
      });
    }
    return Fields;
  }

  static #read(fields: LazyFields, index: number): unknown {
    return (fields.#known[index] ??= fields.#compute(index));
  }
}
