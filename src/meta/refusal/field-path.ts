/**
 * The path of a field, printed as Kubernetes does: `spec.ports[0].name`, `spec.labels[my/key]`. Immutable. The text
 * is built on demand, because most validations find no errors.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string;

  private constructor(parent: FieldPath | undefined, step: string) {
    this.#parent = parent;
    this.#step = step;
  }

  /** A path that starts at a named field: `FieldPath.of('metadata', 'name')`. */
  static of(root: string, ...children: string[]): FieldPath {
    return new FieldPath(undefined, root).child(...children);
  }

  /** The field under this one. */
  child(...names: string[]): FieldPath {
    return names.reduce<FieldPath>((parent, name) => new FieldPath(parent, `.${name}`), this);
  }

  /** The list item with an index. */
  index(index: number): FieldPath {
    return new FieldPath(this, `[${index}]`);
  }

  /** The map entry with a key, which is printed without quotes. */
  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  toString(): string {
    const steps: string[] = [];
    for (let at: FieldPath | undefined = this; at !== undefined; at = at.#parent) steps.push(at.#step);
    return steps.reverse().join('');
  }
}

/** The text of the root path, in messages and in `details.causes[].field`. */
export const rootPathText = '<nil>';

/** The text of a path, or `<nil>` for the root. */
export function pathText(path: FieldPath | undefined): string {
  return path === undefined ? rootPathText : path.toString();
}
