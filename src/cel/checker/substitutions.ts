import { dynType, sameType, type Type } from '../types/type.ts';

/** The current bindings of type parameters. A failed trial is rolled back. */
export class Substitutions {
  readonly #bound = new Map<string, Type>();
  readonly #undo: [name: string, before: Type | undefined][] = [];

  /** Runs a trial; its bindings are kept only if it returns true. */
  attempt(trial: () => boolean): boolean {
    const mark = this.#undo.length;
    if (trial()) return true;
    while (this.#undo.length > mark) {
      const [name, before] = this.#undo.pop() ?? ['', undefined];
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  /** The binding of a type parameter; undefined for other types. */
  find(type: Type): Type | undefined {
    return type.kind === 'typeParam' ? this.#bound.get(type.name) : undefined;
  }

  bind(param: Type, to: Type): void {
    this.#undo.push([param.name, this.#bound.get(param.name)]);
    this.#bound.set(param.name, to);
  }

  /** The type with its parameters substituted; unbound ones stay or become dyn. */
  apply(type: Type, freeToDyn: boolean): Type {
    if (type.kind === 'typeParam') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.apply(bound, freeToDyn);
      return freeToDyn ? dynType : type;
    }
    if (type.params.length === 0) return type;
    const params = type.params.map((param) => this.apply(param, freeToDyn));
    return params.every((param, index) => param === type.params[index]) ? type : { ...type, params };
  }

  /** The occurs check: whether the binding would make the parameter contain itself. */
  occursIn(param: Type, within: Type): boolean {
    if (sameType(param, within)) return true;
    if (within.kind === 'typeParam') {
      const bound = this.#bound.get(within.name);
      return bound !== undefined && this.occursIn(param, bound);
    }
    return within.params.some((inner) => this.occursIn(param, inner));
  }
}
