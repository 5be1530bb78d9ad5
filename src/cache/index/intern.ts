/** More distinct texts than this are not worth sharing: then most of them are held once anyway. */
const sharedMax = 4_096;

/**
 * Gives equal texts as one string, so that a hundred thousand objects of three colours hold three strings. Forgets all
 * it knows when it knows too much.
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
