import type { DeclaredType, ObjectDeclaration } from '../types/declared-type.ts';

/** The caller's declarations: variables by name, and the object types they contain. */
export class Declarations {
  readonly variables: ReadonlyMap<string, DeclaredType>;
  readonly #objects = new Map<string, ObjectDeclaration>();

  constructor(variables: Iterable<readonly [string, DeclaredType]>) {
    this.variables = new Map(variables);
    for (const type of this.variables.values()) this.#collect(type);
  }

  /** The object type of a name. */
  object(name: string): ObjectDeclaration | undefined {
    return this.#objects.get(name);
  }

  #collect(type: DeclaredType): void {
    switch (type.kind) {
      case 'list':
        this.#collect(type.items);
        break;
      case 'map':
      case 'optional':
        this.#collect(type.kind === 'map' ? type.values : type.value);
        break;
      case 'object':
        this.#collectObject(type);
        break;
      default:
    }
  }

  #collectObject(type: ObjectDeclaration): void {
    if (this.#objects.has(type.type.name)) return;
    this.#objects.set(type.type.name, type);
    for (const field of type.fields.values()) this.#collect(field.type);
  }
}
