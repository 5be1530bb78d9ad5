import { Alphabet } from './alphabet.ts';
import { type CharClass, wordChars } from './char-class.ts';
import { ClassTable } from './class-table.ts';
import { flattened, type Node, type Place } from './syntax-tree.ts';

/** The instructions. `x` is the next one, except for `match`. */
export const op = {
  match: 0,
  /** Reads a symbol of class `y`. */
  chars: 1,
  /** Continues at `x` or, with lower priority, at `y`. */
  split: 2,
  /** Continues if the assertion `y` holds, a bit of {@link places}. */
  place: 3,
} as const;

export const places: Readonly<Record<Place, number>> = {
  beginText: 1,
  beginLine: 2,
  endText: 4,
  endLine: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
};

/** A nondeterministic automaton; instructions are numbered, `start` is the first. */
export interface Program {
  readonly ops: Uint8Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly start: number;
  readonly alphabet: Alphabet;
  /** Which class of a `chars` instruction contains which symbol. */
  readonly classes: ClassTable;
  /** The assertions of the pattern, as bits. */
  readonly placesUsed: number;
}

/** Compiles a tree from the end, so that every instruction knows its successor. */
export function compileProgram(tree: Node): Program {
  const code = new Code();
  const start = code.emit(tree, code.add(op.match, 0, 0));
  const boundaries = places.wordBoundary | places.noWordBoundary;
  const classes = [...code.classes];
  if ((code.placesUsed & boundaries) !== 0) classes.push(wordChars);
  if ((code.placesUsed & (places.beginLine | places.endLine)) !== 0) classes.push([0x0a, 0x0a]);
  const alphabet = new Alphabet(classes);
  return {
    ops: Uint8Array.from(code.ops),
    x: Int32Array.from(code.x),
    y: Int32Array.from(code.y),
    start,
    alphabet,
    classes: new ClassTable(code.classes, alphabet),
    placesUsed: code.placesUsed,
  };
}

class Code {
  readonly ops: number[] = [];
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly classes: CharClass[] = [];
  placesUsed = 0;
  /** By content, and by identity for speed: a repetition emits the same large class a thousand times. */
  readonly #numbersByContent = new Map<string, number>();
  readonly #numbers = new Map<CharClass, number>();

  add(kind: number, x: number, y: number): number {
    this.ops.push(kind);
    this.x.push(x);
    this.y.push(y);
    return this.ops.length - 1;
  }

  /** Adds the instructions of a node followed by `next`, and returns the first of them. */
  emit(node: Node, next: number): number {
    switch (node.kind) {
      case 'empty':
        return next;
      case 'chars':
        return this.add(op.chars, next, this.#classNumber(node.chars));
      case 'place':
        this.placesUsed |= places[node.place];
        return this.add(op.place, next, places[node.place]);
      case 'group':
        return this.emit(node.sub, next);
      case 'concat':
        return flattened(node).reduceRight((after, sub) => this.emit(sub, after), next);
      case 'alternate':
        return flattened(node)
          .map((sub) => this.emit(sub, next))
          .reduceRight((rest, first) => this.add(op.split, first, rest));
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat(node: Node & { kind: 'repeat' }, next: number): number {
    const { sub, min, max } = node;
    if (max === -1) {
      const loop = min === 0 ? this.#star(node, next) : this.#plus(node, next);
      return this.#times(sub, min - 1, loop);
    }
    let optional = next;
    for (let count = min; count < max; count += 1) {
      optional = this.#choice(node.greedy, this.emit(sub, optional), next);
    }
    return this.#times(sub, min, optional);
  }

  #times(sub: Node, count: number, next: number): number {
    let first = next;
    for (let done = 0; done < count; done += 1) first = this.emit(sub, first);
    return first;
  }

  /**
   * If the repeated node can be empty, `x*` is compiled as `(x+)?`, which keeps priorities correct
   * (golang.org/issue/46123).
   */
  #star(node: Node & { kind: 'repeat' }, next: number): number {
    if (node.sub.nullable) return this.#choice(node.greedy, this.#plus(node, next), next);
    return this.#loop(node, next).split;
  }

  #plus(node: Node & { kind: 'repeat' }, next: number): number {
    return this.#loop(node, next).body;
  }

  #loop({ sub, greedy }: Node & { kind: 'repeat' }, next: number): { split: number; body: number } {
    const split = this.add(op.split, next, next);
    const body = this.emit(sub, split);
    (greedy ? this.x : this.y)[split] = body;
    return { split, body };
  }

  #choice(greedy: boolean, first: number, second: number): number {
    return greedy ? this.add(op.split, first, second) : this.add(op.split, second, first);
  }

  #classNumber(chars: CharClass): number {
    const known = this.#numbers.get(chars);
    if (known !== undefined) return known;
    const key = chars.join();
    const number = this.#numbersByContent.get(key) ?? this.classes.length;
    if (number === this.classes.length) this.classes.push(chars);
    this.#numbersByContent.set(key, number);
    this.#numbers.set(chars, number);
    return number;
  }
}
