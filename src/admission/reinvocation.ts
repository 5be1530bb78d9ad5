/**
 * Whether mutating plugins run a second time. A plugin requests that, once, if it changed an object that another
 * plugin had already seen. Source: apiserver, pkg/admission/attributes.go, reinvocationContext.
 */
export class Reinvocation {
  #values: Map<string, object> | undefined;
  #isReinvoke = false;
  #isWanted = false;

  /** True in the second round. */
  get isReinvoke(): boolean {
    return this.#isReinvoke;
  }

  /** Requests a second round. */
  want(): void {
    this.#isWanted = true;
  }

  /** Starts the second round; false if none was requested, or this is the second. */
  begin(): boolean {
    if (!this.#isWanted || this.#isReinvoke) return false;
    this.#isReinvoke = true;
    return true;
  }

  /** The state of a plugin for both rounds, created on first use. */
  valueOf<T extends object>(plugin: string, make: () => T): T {
    const values = (this.#values ??= new Map());
    const known = values.get(plugin);
    if (known !== undefined) return known as T; // The plugin itself stored it.
    const made = make();
    values.set(plugin, made);
    return made;
  }
}
