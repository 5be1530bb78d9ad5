/**
 * Emits a function, statement by statement. The fixed cost of a block is summed up while it is emitted and becomes one
 * addition at its end.
 */
export class Emitter {
  readonly constants: unknown[] = [];
  readonly #places = new Map<unknown, string>();
  readonly #head: string[] = [];
  #lines: string[] = [];
  /** Facts at the current position: names of expressions, and conditions known to be false. */
  #known = new Map<string, string>();
  #names = 0;
  #cost = 0;

  /** A unique name. */
  name(): string {
    return `v${this.#names++}`;
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  /** Stores a value in a new variable. */
  keep(expression: string): string {
    const name = this.name();
    this.line(`const ${name} = ${expression};`);
    return name;
  }

  /** The same for an expression whose value cannot change, such as a field of the data: computed once per scope. */
  recall(expression: string): string {
    const known = this.#known.get(expression);
    if (known !== undefined) return known;
    const name = this.keep(expression);
    this.#known.set(expression, name);
    return name;
  }

  /** Emits at the start of the function, whose names are visible everywhere. */
  atHead<T>(write: () => T): T {
    const body = this.#lines;
    this.#lines = this.#head;
    const result = write();
    this.#lines = body;
    return result;
  }

  /** A constant that is passed in; the code has a name for it. */
  constant(value: unknown): string {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const place = `k${this.constants.length}`;
    this.constants.push(value);
    this.#places.set(value, place);
    return place;
  }

  /** Bails out to the interpreter if the condition holds. */
  bailIf(condition: string): void {
    this.line(`if (${condition}) throw bail;`);
  }

  /** The same for a condition over constant names; emitted only once per scope. */
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

  /** Emits a block `head { ... }` with its own cost at its end. */
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

  /** Emits the cost so far, before a block is left early. */
  settle(): void {
    if (this.#cost !== 0) this.line(`c += ${this.#cost};`);
    this.#cost = 0;
  }

  get text(): string {
    return [...this.#head, ...this.#lines].join('\n');
  }
}
