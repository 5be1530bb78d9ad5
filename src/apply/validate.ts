import { isObject, type JsonValue } from '../meta/index.ts';
import { goPointer, goPointerSyntax, goTypeName } from './go-print.ts';
import { itemElement, ListItemError } from './list-item.ts';
import {
  entryType,
  kindOf,
  type ListType,
  type MapType,
  type MergeType,
  type ScalarType,
} from './merge-type.ts';
import { elementText, fieldElement, indexElement, type PathElement } from './path-element.ts';
import type { TypedProblem } from './typed-error.ts';

/** How strictly a value is checked. */
export interface TypedCheckOptions {
  /** Stored objects may hold an item of a set or keyed list twice; an applied configuration may not. */
  readonly allowDuplicates: boolean;
}

/** What a merge type does not allow in a value. Null is allowed everywhere. */
export function checkTyped(type: MergeType, value: JsonValue, options: TypedCheckOptions): TypedProblem[] {
  const checker = new Checker(options.allowDuplicates);
  checker.check(type, value);
  return checker.problems;
}

class Checker {
  readonly problems: TypedProblem[] = [];
  readonly #path: PathElement[] = [];
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  check(type: MergeType, value: JsonValue): void {
    if (value === null) return;
    switch (kindOf(type, value)) {
      case 'map':
        if (type.map !== undefined) this.#map(type.map, value);
        break;
      case 'list':
        if (type.list !== undefined) this.#list(type.list, value);
        break;
      default: {
        const message = scalarProblem(type.scalar, value);
        if (message !== undefined) this.#report(message);
      }
    }
  }

  #map(type: MapType, value: JsonValue): void {
    if (!isObject(value)) {
      this.#report(`expected map, got ${goPointer(value)}`);
      return;
    }
    for (const key of Object.keys(value)) {
      const child = entryType(type, key);
      if (child === undefined) {
        // One undeclared field ends the walk through this map, as upstream does it.
        this.#at(fieldElement(key), () => this.#report('field not declared in schema'));
        return;
      }
      const item = value[key];
      if (typeof item === 'object' || scalarProblem(child.scalar, item) !== undefined) {
        this.#at(fieldElement(key), () => this.check(child, item ?? null));
      }
    }
  }

  #list(type: ListType, value: JsonValue): void {
    if (!Array.isArray(value)) {
      this.#report(`expected list, got ${goPointer(value)}`);
      return;
    }
    const seen = new Set<PathElement>();
    for (const [index, item] of value.entries()) {
      const element = this.#element(type, index, item);
      if (element === undefined) return;
      if (!this.#allowDuplicates && seen.has(element)) {
        this.#report(`duplicate entries for key ${elementText(element)}`);
      }
      seen.add(element);
      this.#at(element, () => this.check(type.element, item));
    }
  }

  /** The item's step; undefined, and reported, where it has none: nothing more can be said of this list then. */
  #element(type: ListType, index: number, item: JsonValue): PathElement | undefined {
    if (type.relationship === 'atomic') return indexElement(index);
    try {
      return itemElement(type, item);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      this.#report(`element ${index}: ${error.message}`);
      return undefined;
    }
  }

  #at(element: PathElement, walk: () => void): void {
    this.#path.push(element);
    walk();
    this.#path.pop();
  }

  #report(message: string): void {
    this.problems.push({ path: this.#path.map(elementText).join(''), message });
  }
}

const numeric = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';

function scalarProblem(scalar: ScalarType | undefined, value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (scalar) {
    case 'numeric':
      return numeric(value) ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got ${goPointerSyntax(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${goPointer(value)}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got ${goPointer(value)}` : undefined;
    default:
      return 'no scalar';
  }
}
