/** What a batch is made of, besides bytes. */
export type Field = string | number | null;

/**
 * A batch as it crosses a port: flat, because the clone of one array of strings and numbers costs a fraction of the
 * clones of as many objects, and all values are in one buffer, in the order of their lengths among the fields.
 */
export interface Batch {
  readonly fields: readonly Field[];
  readonly bytes: Uint8Array;
}

/** Collects what is sent in one turn. */
export class BatchWriter {
  #fields: Field[] = [];
  #values: Uint8Array[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#fields.length === 0;
  }

  /** The bytes of all values. */
  get bytes(): number {
    return this.#bytes;
  }

  add(...fields: readonly Field[]): void {
    for (const field of fields) this.#fields.push(field);
  }

  /** A value, or its absence. It is copied when the batch is taken. */
  addValue(value: Uint8Array | null | undefined): void {
    if (value === null || value === undefined) {
      this.#fields.push(null);
      return;
    }
    this.#fields.push(value.byteLength);
    this.#values.push(value);
    this.#bytes += value.byteLength;
  }

  /** What was added since the last call. Its bytes have a buffer of their own, so that it can be transferred. */
  take(): Batch {
    const bytes = new Uint8Array(this.#bytes);
    let end = 0;
    for (const value of this.#values) {
      bytes.set(value, end);
      end += value.byteLength;
    }
    const batch = { fields: this.#fields, bytes };
    this.#fields = [];
    this.#values = [];
    this.#bytes = 0;
    return batch;
  }
}

/** Reads a batch in the order in which it was written. A field of another type than asked for is a bug. */
export class BatchReader {
  readonly #fields: readonly Field[];
  readonly #bytes: Uint8Array;
  #next = 0;
  #end = 0;

  constructor({ fields, bytes }: Batch) {
    this.#fields = fields;
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#fields.length;
  }

  number(): number {
    const field = this.#fields[this.#next++];
    if (typeof field !== 'number') throw unexpected(field, 'a number');
    return field;
  }

  text(): string {
    const field = this.#fields[this.#next++];
    if (typeof field !== 'string') throw unexpected(field, 'a string');
    return field;
  }

  optionalNumber(): number | undefined {
    const field = this.#fields[this.#next++];
    if (field === null) return undefined;
    if (typeof field !== 'number') throw unexpected(field, 'a number or null');
    return field;
  }

  /** A value that shares its buffer with the others of the batch; null if it is absent. */
  value(): Uint8Array | null {
    const length = this.optionalNumber();
    if (length === undefined) return null;
    const start = this.#end;
    this.#end += length;
    return this.#bytes.subarray(start, this.#end);
  }
}

const unexpected = (field: Field | undefined, wanted: string): Error =>
  new Error(`a batch between threads has ${JSON.stringify(field)} where ${wanted} is expected`);

/** Moving a small buffer costs more than copying it. */
const movedFromBytes = 4 * 1024;

/** The transfer list for a batch that nobody else needs. The writer makes its buffers, none of which is shared memory. */
export const transferable = ({ bytes }: Batch): ArrayBuffer[] =>
  bytes.byteLength < movedFromBytes ? [] : [bytes.buffer as ArrayBuffer];
