import { outside, emptyWidthBetween } from './empty-width.ts';
import { op, type Program } from './program.ts';
import type { Span } from './span.ts';

/** Threads by priority, each with the start of its match. */
class Threads {
  readonly items: Int32Array;
  readonly begins: Int32Array;
  length = 0;
  readonly #program: Program;
  readonly #seen: Int32Array;
  readonly #stack: Int32Array;
  #generation = 0;

  constructor(program: Program) {
    const size = program.ops.length;
    this.#program = program;
    this.items = new Int32Array(size);
    this.begins = new Int32Array(size);
    this.#seen = new Int32Array(size);
    this.#stack = new Int32Array(size + 1);
  }

  clear(): void {
    this.length = 0;
    this.#generation += 1;
  }

  /** Adds an instruction and its empty transitions; a `match` is kept as a thread. */
  add(first: number, begin: number, here: number): void {
    const { ops, x, y } = this.#program;
    const stack = this.#stack;
    let top = 0;
    stack[top++] = first;
    while (top > 0) {
      const at = stack[--top] ?? 0;
      if (this.#seen[at] === this.#generation) continue;
      this.#seen[at] = this.#generation;
      const kind = ops[at];
      if (kind === op.split) {
        stack[top++] = y[at] ?? 0;
        stack[top++] = x[at] ?? 0;
      } else if (kind === op.place) {
        if (((y[at] ?? 0) & here) !== 0) stack[top++] = x[at] ?? 0;
      } else {
        this.begins[this.length] = begin;
        this.items[this.length++] = at;
      }
    }
  }
}

/** Finds the leftmost match, and of several the one with the highest priority. Time: text times pattern. */
export class LeftmostSearch {
  readonly #program: Program;
  #now: Threads;
  #next: Threads;

  constructor(program: Program) {
    this.#program = program;
    this.#now = new Threads(program);
    this.#next = new Threads(program);
  }

  /** The first match that starts at `from` or later; the text before `from` still decides assertions. */
  find(text: string, from: number): Span | undefined {
    const { alphabet, start } = this.#program;
    let found: Span | undefined;
    let before = from === 0 ? outside : text.charCodeAt(from - 1);
    this.#now.clear();
    for (let index = from; ; ) {
      const after = text.codePointAt(index) ?? outside;
      // Threads that started earlier come first, so that a later match never wins.
      if (found === undefined) this.#now.add(start, index, emptyWidthBetween(before, after));
      if (this.#now.length === 0 && found !== undefined) return found;
      const following = index + (after > 0xffff ? 2 : 1);
      const beyond = text.codePointAt(following) ?? outside;
      const symbol = after === outside ? -1 : alphabet.symbolAt(text, index);
      const begin = this.#step(symbol, emptyWidthBetween(after, beyond));
      if (begin >= 0) found = { start: begin, end: index };
      if (after === outside) return found;
      [this.#now, this.#next] = [this.#next, this.#now];
      before = after;
      index = following;
    }
  }

  /**
   * Advances the threads over one symbol; a match drops all threads of lower priority. Returns the start of the match,
   * or -1.
   */
  #step(symbol: number, here: number): number {
    const { ops, x, y, classes } = this.#program;
    const { items, begins, length } = this.#now;
    this.#next.clear();
    for (let index = 0; index < length; index += 1) {
      const at = items[index] ?? 0;
      const begin = begins[index] ?? 0;
      if (ops[at] === op.match) return begin;
      if (symbol >= 0 && classes.has(y[at] ?? 0, symbol)) {
        this.#next.add(x[at] ?? 0, begin, here);
      }
    }
    return -1;
  }
}
