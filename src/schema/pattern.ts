import { compileRegex, type Regex } from '../regex/index.ts';

/** A `pattern` that is compiled when it is first needed: most objects never reach most patterns. */
export class Pattern {
  readonly source: string;
  #regex: Regex | undefined;
  #error: string | undefined;

  constructor(source: string) {
    this.source = source;
  }

  #compile(): Regex | undefined {
    if (this.#regex !== undefined || this.#error !== undefined) return this.#regex;
    try {
      this.#regex = compileRegex(this.source);
    } catch (error) {
      this.#error = error instanceof Error ? error.message : String(error);
    }
    return this.#regex;
  }

  /** True where the pattern matches anywhere in the text; false for a pattern that does not compile. */
  test(text: string): boolean {
    return this.#compile()?.test(text) ?? false;
  }

  /** Why the pattern does not compile, in Go's words; undefined where it does. */
  get error(): string | undefined {
    this.#compile();
    return this.#error;
  }
}
