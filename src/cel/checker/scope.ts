import type { Type } from '../types/type.ts';

/** The variables of enclosing comprehensions, innermost first. */
export class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables = new Map<string, Type>();

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  declare(name: string, type: Type): void {
    this.#variables.set(name, type);
  }

  find(name: string): Type | undefined {
    return this.#variables.get(name) ?? this.#parent?.find(name);
  }
}
