import { goQuote, limits } from '../../meta/index.ts';

/** Tells whether duplicate keys are allowed in the object at these steps from the root. */
export type IsLenientAt = (steps: readonly (string | number)[]) => boolean;

/** Collects the strict errors for duplicate keys: `duplicate field "spec.list[0].x"`. */
export class DuplicateFields {
  readonly #isLenientAt: IsLenientAt | undefined;
  readonly #path: (string | number)[] = [];
  /** The path texts of the steps, made on demand. */
  readonly #prefixes: string[] = [];
  readonly #paths = new Set<string>();

  constructor(isLenientAt?: IsLenientAt) {
    this.#isLenientAt = isLenientAt;
  }

  /** Enters the value of a key or an index. */
  enter(step: string | number): void {
    this.#path.push(step);
  }

  leave(): void {
    this.#path.pop();
    if (this.#prefixes.length > this.#path.length) this.#prefixes.length = this.#path.length;
  }

  /** Reports a key that the current object already has. */
  report(key: string): void {
    if (this.#paths.size >= limits.strictErrorsMax || this.#isLenientAt?.(this.#path) === true) return;
    const path = this.#path.length === 0 ? key : `${this.#parentText()}.${key}`;
    this.#paths.add(path);
  }

  #parentText(): string {
    for (let index = this.#prefixes.length; index < this.#path.length; index += 1) {
      this.#prefixes.push(`${this.#prefixes[index - 1] ?? ''}${stepText(this.#path[index] ?? '', index)}`);
    }
    return this.#prefixes.at(-1) ?? '';
  }

  /** The errors in document order, without duplicates, at most `limits.strictErrorsMax`. */
  texts(): string[] {
    return [...this.#paths].map((path) => `duplicate field ${goQuote(path)}`);
  }
}

function stepText(step: string | number, index: number): string {
  if (typeof step === 'number') return `[${step}]`;
  return index === 0 ? step : `.${step}`;
}
