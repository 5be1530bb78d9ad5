import { compileRegex, type Regex, RegexSyntaxError } from '../../regex/index.ts';
import { CelError } from '../values/cel-error.ts';

const maxPatterns = 1000;

/** A FIFO cache of compiled patterns; invalid patterns are cached as errors. */
export class RegexCache {
  readonly #byPattern = new Map<string, Regex | CelError>();

  get(pattern: string): Regex | CelError {
    const known = this.#byPattern.get(pattern);
    if (known !== undefined) return known;
    if (this.#byPattern.size >= maxPatterns) {
      for (const oldest of this.#byPattern.keys()) {
        this.#byPattern.delete(oldest);
        break;
      }
    }
    const compiled = compile(pattern);
    this.#byPattern.set(pattern, compiled);
    return compiled;
  }
}

function compile(pattern: string): Regex | CelError {
  try {
    return compileRegex(pattern);
  } catch (error) {
    if (error instanceof RegexSyntaxError) return new CelError(error.message);
    throw error;
  }
}
