import type { CharClass } from './char-class.ts';

const asciiSize = 128;
const replacement = 0xfffd;

/**
 * The symbols of one pattern: code points that all of its classes treat alike are one symbol. An automaton for `[a-z]+`
 * has two instead of 1,114,112.
 */
export class Alphabet {
  /** The number of symbols. */
  readonly size: number;
  /** The symbol of each ASCII character, for the fast path. */
  readonly ascii = new Int32Array(asciiSize);
  /** The start of each interval of equal symbols. */
  readonly #starts: Int32Array;
  readonly #symbols: Int32Array;
  /** A representative code point of each symbol. */
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
   * The symbol of the non-ASCII character at `index`. A surrogate pair is one character; a lone surrogate is read as
   * U+FFFD, its replacement in UTF-8.
   */
  symbolAt(text: string, index: number): number {
    const codePoint = text.codePointAt(index) ?? replacement;
    return this.symbolOf(codePoint >= 0xd800 && codePoint <= 0xdfff ? replacement : codePoint);
  }

  /** A representative code point of the symbol; every class contains all of a symbol's code points or none. */
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

/** Splits symbols by each class, into code points inside and outside of it. */
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
