import { compileRegex, type Regex } from '../regex/index.ts';

/** A `pattern` that is compiled on first use: most objects never need most patterns. */
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

  /** True if the pattern matches anywhere in the text; false for an invalid pattern. */
  test(text: string): boolean {
    return this.#compile()?.test(text) ?? false;
  }

  /** Go's error for an invalid pattern; undefined if it is valid. */
  get error(): string | undefined {
    this.#compile();
    return this.#error;
  }
}
