import type { CharClass } from './char-class.ts';

const asciiSize = 128;
const replacement = 0xfffd;

/**
 * The symbols of one pattern: code points that none of its classes tells apart are one symbol. An automaton for
 * `[a-z]+` has two of them instead of 1,114,112.
 */
export class Alphabet {
  /** How many symbols there are. */
  readonly size: number;
  /** Symbol of each ASCII character, for the fast path. */
  readonly ascii = new Int32Array(asciiSize);
  /** Where each interval of equal symbols begins. */
  readonly #starts: Int32Array;
  readonly #symbols: Int32Array;
  /** One code point of each symbol. */
  readonly #samples: readonly number[];

  constructor(classes: readonly CharClass[]) {
    this.#starts = intervalStarts(classes);
    const { symbols, size } = partition(this.#starts, classes);
    this.#symbols = symbols;
    this.size = size;
    for (let char = 0; char < asciiSize; char += 1) this.ascii[char] = this.symbolOf(char);
    const samples: number[] = [];
    for (const [index, symbol] of symbols.entries()) samples[symbol] ??= this.#starts[index] ?? 0;
    this.#samples = samples;
  }

  symbolOf(codePoint: number): number {
    return this.#symbols[intervalOf(this.#starts, codePoint)] ?? 0;
  }

  /**
   * Symbol of a character beyond ASCII that begins at `index`. A pair of surrogates is one character; a surrogate
   * alone is read as U+FFFD, which is what becomes of it in UTF-8.
   */
  symbolAt(text: string, index: number): number {
    const codePoint = text.codePointAt(index) ?? replacement;
    return this.symbolOf(codePoint >= 0xd800 && codePoint <= 0xdfff ? replacement : codePoint);
  }

  /** Some code point that has the symbol; whatever the classes tell apart is true of all of them or of none. */
  sampleOf(symbol: number): number {
    return this.#samples[symbol] ?? 0;
  }
}

function intervalStarts(classes: readonly CharClass[]): Int32Array {
  const starts = new Set([0]);
  for (const chars of classes) {
    for (let index = 0; index < chars.length; index += 2) {
      starts.add(chars[index] ?? 0);
      starts.add((chars[index + 1] ?? 0) + 1);
    }
  }
  return Int32Array.from(starts).sort();
}

/** Splits the one symbol of all intervals once for each class, into those within and those without. */
function partition(starts: Int32Array, classes: readonly CharClass[]): { symbols: Int32Array; size: number } {
  const symbols = new Int32Array(starts.length);
  let size = 1;
  for (const chars of classes) {
    const renamed = new Map<number, number>();
    for (let index = 0; index < chars.length; index += 2) {
      const end = chars[index + 1] ?? 0;
      let interval = intervalOf(starts, chars[index] ?? 0);
      for (; interval < starts.length && (starts[interval] ?? 0) <= end; interval += 1) {
        const old = symbols[interval] ?? 0;
        const name = renamed.get(old) ?? size++;
        renamed.set(old, name);
        symbols[interval] = name;
      }
    }
  }
  return numbered(symbols);
}

function numbered(symbols: Int32Array): { symbols: Int32Array; size: number } {
  const numbers = new Map<number, number>();
  const result = symbols.map((symbol) => {
    const number = numbers.get(symbol) ?? numbers.size;
    numbers.set(symbol, number);
    return number;
  });
  return { symbols: result, size: numbers.size };
}

function intervalOf(starts: Int32Array, codePoint: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= codePoint) low = middle;
    else high = middle - 1;
  }
  return low;
}
