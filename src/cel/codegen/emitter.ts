/**
 * Writes a function, statement by statement. What a block costs in any case is added up while it is written and
 * becomes one addition at its end.
 */
export class Emitter {
  readonly constants: unknown[] = [];
  readonly #places = new Map<unknown, string>();
  readonly #head: string[] = [];
  #lines: string[] = [];
  /** What is known at the next line: the names of expressions, and conditions that are known to be false. */
  #known = new Map<string, string>();
  #names = 0;
  #cost = 0;

  /** A name that nothing else has. */
  name(): string {
    return `v${this.#names++}`;
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  /** Keeps a value in a new name. */
  keep(expression: string): string {
    const name = this.name();
    this.line(`const ${name} = ${expression};`);
    return name;
  }

  /** The same for an expression whose value cannot change, such as a field of data: read once, wherever that is seen. */
  recall(expression: string): string {
    const known = this.#known.get(expression);
    if (known !== undefined) return known;
    const name = this.keep(expression);
    this.#known.set(expression, name);
    return name;
  }

  /** Writes at the begin of the function, whose names are seen everywhere. */
  atHead<T>(write: () => T): T {
    const body = this.#lines;
    this.#lines = this.#head;
    const result = write();
    this.#lines = body;
    return result;
  }

  /** A value that is no text of the program: it is passed in, and the code has a name for its place. */
  constant(value: unknown): string {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const place = `k${this.constants.length}`;
    this.constants.push(value);
    this.#places.set(value, place);
    return place;
  }

  /** Leaves the rest to the interpreter where the condition holds. */
  bailIf(condition: string): void {
    this.line(`if (${condition}) throw bail;`);
  }

  /** The same for a condition over names that never change; where it has been looked at already it is not again. */
  bailOnceIf(condition: string): void {
    if (this.#known.has(condition)) return;
    this.bailIf(condition);
    this.#known.set(condition, 'false');
  }

  charge(amount: number): void {
    this.#cost += amount;
  }

  chargeBy(expression: string): void {
    this.line(`c += ${expression};`);
  }

  /** Writes a block of its own, `head { ... }`, with its own cost at its end. */
  block(head: string, write: () => void): void {
    const cost = this.#cost;
    const known = this.#known;
    this.#cost = 0;
    this.#known = new Map(known);
    this.line(`${head} {`);
    write();
    this.settle();
    this.line('}');
    this.#cost = cost;
    this.#known = known;
  }

  /** Adds what has been charged so far: before a block is left early. */
  settle(): void {
    if (this.#cost !== 0) this.line(`c += ${this.#cost};`);
    this.#cost = 0;
  }

  get text(): string {
    return [...this.#head, ...this.#lines].join('\n');
  }
}
