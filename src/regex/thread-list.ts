import { op, type Program } from './program.ts';

/**
 * Instructions that wait for the next symbol, without duplicates, by priority; `places` are the assertions that hold at
 * the position. An assertion that is undecided waits as well if `undecided` has its bit.
 */
export class ThreadList {
  readonly items: Int32Array;
  length = 0;
  /** Set when `match` is reached; instructions of lower priority may still follow. */
  matched = false;
  /** True if a waiting instruction is an undecided assertion. */
  waitsForPlace = false;
  readonly #program: Program;
  readonly #seen: Int32Array;
  readonly #stack: Int32Array;
  #generation = 0;

  constructor(program: Program) {
    const size = program.ops.length;
    this.#program = program;
    this.items = new Int32Array(size);
    this.#seen = new Int32Array(size);
    this.#stack = new Int32Array(size + 1);
  }

  clear(): void {
    this.length = 0;
    this.matched = false;
    this.waitsForPlace = false;
    this.#generation += 1;
  }

  /** Adds an instruction and its empty transitions. Stops at a match: the rest has lower priority. */
  add(first: number, here: number, undecided = 0): void {
    const { ops, x, y } = this.#program;
    const stack = this.#stack;
    const seen = this.#seen;
    let top = 0;
    stack[top++] = first;
    while (top > 0) {
      const at = stack[--top] ?? 0;
      if (seen[at] === this.#generation) continue;
      seen[at] = this.#generation;
      const kind = ops[at];
      if (kind === op.split) {
        // Each instruction is expanded once and pushes at most one more than it popped.
        stack[top++] = y[at] ?? 0;
        stack[top++] = x[at] ?? 0;
      } else if (kind === op.match) {
        this.matched = true;
        return;
      } else if (kind === op.chars) {
        this.items[this.length++] = at;
      } else if (((y[at] ?? 0) & here) !== 0) {
        stack[top++] = x[at] ?? 0;
      } else if (((y[at] ?? 0) & undecided) !== 0) {
        this.items[this.length++] = at;
        this.waitsForPlace = true;
      }
    }
  }
}
