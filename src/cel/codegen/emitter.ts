/** The names that generated code has for what {@link runtime} gives it. */
export type HelperName = keyof typeof import('./runtime.ts')['runtime'];

/**
 * Writes a function, statement by statement. What a block costs in any case is added up while it is written and
 * becomes one addition at its end.
 */
export class Emitter {
  readonly constants: unknown[] = [];
  readonly #places = new Map<unknown, string>();
  readonly #lines: string[] = [];
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

  charge(amount: number): void {
    this.#cost += amount;
  }

  chargeBy(expression: string): void {
    this.line(`c += ${expression};`);
  }

  /** Writes a block of its own, `head { ... }`, with its own cost at its end. */
  block(head: string, write: () => void): void {
    const outer = this.#cost;
    this.#cost = 0;
    this.line(`${head} {`);
    write();
    this.settle();
    this.line('}');
    this.#cost = outer;
  }

  /** Adds what has been charged so far: before a block is left early. */
  settle(): void {
    if (this.#cost !== 0) this.line(`c += ${this.#cost};`);
    this.#cost = 0;
  }

  get text(): string {
    return this.#lines.join('\n');
  }
}
