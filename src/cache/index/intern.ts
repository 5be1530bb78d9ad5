/** With more distinct texts than this, sharing is not worthwhile. */
const sharedMax = 4_096;

/**
 * Returns one string for equal texts, so that a hundred thousand objects with three colours hold three strings.
 * Clears itself when it is full.
 */
export class Interner {
  readonly #texts = new Map<string, string>();

  share(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= sharedMax) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
