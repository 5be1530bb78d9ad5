import type { Alphabet } from './alphabet.ts';
import { type CharClass, includes } from './char-class.ts';

/** The maximum size in bytes: a pattern of 20,000 different characters would need a table of 400 MB. */
const maxTableBytes = 1 << 16;

/** Whether a class contains a symbol. */
export class ClassTable {
  readonly #classes: readonly CharClass[];
  readonly #alphabet: Alphabet;
  readonly #table: Uint8Array | undefined;

  constructor(classes: readonly CharClass[], alphabet: Alphabet) {
    this.#classes = classes;
    this.#alphabet = alphabet;
    this.#table = classes.length * alphabet.size <= maxTableBytes ? this.#tabulate() : undefined;
  }

  has(number: number, symbol: number): boolean {
    const table = this.#table;
    if (table === undefined) return this.#lookUp(number, symbol);
    return table[number * this.#alphabet.size + symbol] === 1;
  }

  #lookUp(number: number, symbol: number): boolean {
    return includes(this.#classes[number] ?? [], this.#alphabet.sampleOf(symbol));
  }

  #tabulate(): Uint8Array {
    const { size } = this.#alphabet;
    const cell = (at: number) => (this.#lookUp(Math.floor(at / size), at % size) ? 1 : 0);
    return Uint8Array.from({ length: this.#classes.length * size }, (_, at) => cell(at));
  }
}
