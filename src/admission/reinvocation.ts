/**
 * Whether mutating plugins run a second time. A plugin that changed an object after another one had seen it asks for
 * that, once. Source: apiserver, pkg/admission/attributes.go, reinvocationContext.
 */
export class Reinvocation {
  readonly #values = new Map<string, object>();
  #isReinvoke = false;
  #isWanted = false;

  /** True in the second round. */
  get isReinvoke(): boolean {
    return this.#isReinvoke;
  }

  /** Asks for a second round. */
  want(): void {
    this.#isWanted = true;
  }

  /** Begins the second round; false where nobody asked for one, or this is it. */
  begin(): boolean {
    if (!this.#isWanted || this.#isReinvoke) return false;
    this.#isReinvoke = true;
    return true;
  }

  /** What a plugin keeps between the rounds, made when it first asks. */
  valueOf<T extends object>(plugin: string, make: () => T): T {
    const known = this.#values.get(plugin);
    if (known !== undefined) return known as T; // The plugin put it here itself.
    const made = make();
    this.#values.set(plugin, made);
    return made;
  }
}
