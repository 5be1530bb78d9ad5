import { isWord, outside, emptyWidthAfter, emptyWidthBetween } from './empty-width.ts';
import { op, places, type Program } from './program.ts';
import { ThreadList } from './thread-list.ts';

/** The limits of one pattern's state cache. */
interface CacheLimits {
  /** Cells of the transition table, 4 bytes each. */
  readonly cells: number;
  /** Instructions of all states together, 4 bytes each. */
  readonly instructions: number;
  /** If the cache fills up after fewer characters per state than this, it is abandoned. */
  readonly charactersPerState: number;
}

export const defaultCacheLimits: CacheLimits = {
  cells: 1 << 16,
  instructions: 1 << 16,
  charactersPerState: 10,
};

/** Counters, for tests of linear time. */
interface DfaCounts {
  readonly states: number;
  readonly flushes: number;
  /** Transitions computed instead of looked up. Each takes time linear in the pattern. */
  readonly computed: number;
}

/** A set of instructions at a position, and the kind of the character before it. */
interface State {
  readonly items: Int32Array;
  /** A representative code point for all that decide assertions alike. */
  readonly before: number;
  readonly waitsForPlace: boolean;
}

const unknown = 0;
const dead = 1;
const match = 2;
/** State numbers start here; a state's number is the offset of its row in the table. */
const firstState = 3;
/** Returned when the cache is abandoned. */
const giveUp = -1;

const undecided = places.endText | places.endLine | places.wordBoundary | places.noWordBoundary;

/**
 * Decides whether a program matches, by a deterministic automaton whose states are created on demand
 * (https://swtch.com/~rsc/regexp/regexp3.html). A character takes one look-up or, if its transition is not cached, time
 * linear in the pattern, for every pattern and text. The cache is bounded; if it fills up too fast, the rest of the
 * text is matched without it.
 */
export class LazyDfa {
  readonly #program: Program;
  readonly #limits: CacheLimits;
  readonly #symbols: number;
  readonly #stride: number;
  readonly #decided: ThreadList;
  #next: ThreadList;
  #spare: ThreadList;
  readonly #numbers = new Map<string, number>();
  #states: State[] = [];
  #table: Int32Array = new Int32Array(0);
  #instructions = 0;
  #flushes = 0;
  #computed = 0;
  readonly #first: State;
  readonly #matchesAtOnce: boolean;

  constructor(program: Program, limits: CacheLimits = defaultCacheLimits) {
    this.#program = program;
    this.#limits = limits;
    this.#symbols = program.alphabet.size;
    this.#stride = this.#symbols + 1;
    this.#decided = new ThreadList(program);
    this.#next = new ThreadList(program);
    this.#spare = new ThreadList(program);
    this.#next.clear();
    this.#next.add(program.start, emptyWidthAfter(outside), undecided);
    this.#matchesAtOnce = this.#next.matched;
    this.#first = this.#stateOf(this.#next, outside);
    this.#flush();
  }

  get counts(): DfaCounts {
    return { states: this.#states.length, flushes: this.#flushes, computed: this.#computed };
  }

  /** True if the pattern matches anywhere in the text or, for a pattern without assertions, at `from` or later. */
  test(text: string, from = 0): boolean {
    if (this.#matchesAtOnce) return true;
    const { alphabet } = this.#program;
    const { ascii } = alphabet;
    let table = this.#table;
    let state = firstState;
    let flushedAt = from;
    for (let index = from; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      // Every ASCII character and every used state has a cell: `?? 0` only satisfies the type.
      const symbol = unit < 128 ? (ascii[unit] ?? 0) : alphabet.symbolAt(text, index);
      let next = table[state + symbol] ?? unknown;
      if (next < firstState) {
        if (next === unknown) {
          const flushes = this.#flushes;
          next = this.#extend(state, symbol, index - flushedAt);
          if (next === giveUp) return this.#simulate(this.#stateAt(state), text, index);
          table = this.#table;
          if (flushes !== this.#flushes) flushedAt = index;
        }
        if (next === match) return true;
        if (next === dead) return false;
      }
      state = next;
      if (unit >= 0xd800 && isPair(text, index)) index += 1;
    }
    let last = table[state + this.#symbols] ?? unknown;
    if (last === unknown) last = this.#extend(state, this.#symbols, text.length);
    return last === match;
  }

  /** Computes and caches the transition of a state. */
  #extend(from: number, symbol: number, charactersSinceFlush: number): number {
    const state = this.#stateAt(from);
    const after = this.#advance(state.items, state.items.length, state, symbol);
    if (after === match || after === dead) {
      this.#table[from + symbol] = after;
      return after;
    }
    const target = this.#stateOf(this.#next, after);
    const key = keyOf(target);
    const known = this.#numbers.get(key);
    const full = known === undefined && this.#isFull(target);
    if (full) {
      if (charactersSinceFlush < this.#states.length * this.#limits.charactersPerState) return giveUp;
      if (target.items.length > this.#limits.instructions) return giveUp;
      this.#flush();
    }
    const number = known ?? this.#add(target, key);
    if (!full) this.#table[from + symbol] = number;
    return number;
  }

  /**
   * Consumes one symbol, or the end of the text. Leaves the successors in `#next` and returns the kind of the character
   * before them, or `match` or `dead`, which are distinct numbers.
   */
  #advance(
    items: Int32Array,
    length: number,
    { before, waitsForPlace }: Omit<State, 'items'>,
    symbol: number,
  ): number {
    this.#computed += 1;
    const character = symbol === this.#symbols ? outside : this.#program.alphabet.sampleOf(symbol);
    let waiting = items;
    let count = length;
    if (waitsForPlace) {
      const decided = this.#decided;
      decided.clear();
      const here = emptyWidthBetween(before, character);
      for (let index = 0; index < length && !decided.matched; index += 1)
        decided.add(items[index] ?? 0, here);
      if (decided.matched) return match;
      waiting = decided.items;
      count = decided.length;
    }
    return character === outside ? dead : this.#read(waiting, count, symbol, kindOf(character));
  }

  #read(items: Int32Array, length: number, symbol: number, character: number): number {
    const { x, y, ops, classes, start, placesUsed } = this.#program;
    const next = this.#next;
    const here = emptyWidthAfter(character);
    next.clear();
    for (let index = 0; index < length && !next.matched; index += 1) {
      const at = items[index] ?? 0;
      const reads = ops[at] === op.chars && classes.has(y[at] ?? 0, symbol);
      if (reads) next.add(x[at] ?? 0, here, undecided);
    }
    if (!next.matched) next.add(start, here, undecided);
    if (next.matched) return match;
    // Without instructions, only a later line start can add some.
    return next.length === 0 && (placesUsed & places.beginLine) === 0 ? dead : character;
  }

  /** Matches the rest of a text without the cache. */
  #simulate(from: State, text: string, begin: number): boolean {
    const { alphabet } = this.#program;
    let { items } = from;
    let length = items.length;
    let state: Omit<State, 'items'> = from;
    for (let index = begin; index < text.length; index += 1) {
      const after = this.#advance(items, length, state, alphabet.symbolAt(text, index));
      if (after === match || after === dead) return after === match;
      items = this.#next.items;
      length = this.#next.length;
      state = { before: after, waitsForPlace: this.#next.waitsForPlace };
      [this.#next, this.#spare] = [this.#spare, this.#next];
      if (isPair(text, index)) index += 1;
    }
    return this.#advance(items, length, state, this.#symbols) === match;
  }

  #stateAt(number: number): State {
    return this.#states[(number - firstState) / this.#stride] ?? this.#first;
  }

  #stateOf(list: ThreadList, before: number): State {
    const { waitsForPlace } = list;
    const items = list.items.slice(0, list.length).sort();
    return { items, waitsForPlace, before: waitsForPlace ? before : kindOf(0x20) };
  }

  #isFull({ items }: State): boolean {
    const cells = firstState + (this.#states.length + 1) * this.#stride;
    return cells > this.#limits.cells || this.#instructions + items.length > this.#limits.instructions;
  }

  #flush(): void {
    if (this.#states.length > 0) this.#flushes += 1;
    this.#numbers.clear();
    this.#states = [];
    this.#instructions = 0;
    this.#table.fill(unknown);
    this.#add(this.#first, keyOf(this.#first));
  }

  #add(state: State, key: string): number {
    const number = firstState + this.#states.length * this.#stride;
    this.#states.push(state);
    this.#numbers.set(key, number);
    this.#instructions += state.items.length;
    if (number + this.#stride > this.#table.length) {
      const grown = new Int32Array(Math.max(2 * this.#table.length, number + 4 * this.#stride));
      grown.set(this.#table);
      this.#table = grown;
    }
    return number;
  }
}

/** Three kinds of character decide assertions: newline, word, other. */
function kindOf(character: number): number {
  if (character === 0x0a) return 0x0a;
  return isWord(character) ? 0x61 : 0x20;
}

const keyOf = ({ items, before }: State): string => `${before}:${items.join()}`;

function isPair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
