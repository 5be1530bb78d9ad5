import { isObject, type JsonValue, own, Float64 } from '../../meta/index.ts';
import { goPointer, goPointerSyntax, goTypeName } from './go-print.ts';
import { itemElement, ListItemError } from './list-item.ts';
import {
  deducedType,
  entryType,
  kindOf,
  type ListType,
  type MapType,
  type MergeType,
  type ScalarType,
  untypedAtomicType,
} from './merge-type.ts';
import { elementText, fieldElement, indexElement, type PathElement } from '../field-set/path-element.ts';
import type { TypedProblem } from './typed-error.ts';

/** How strict the validation is. */
interface TypedCheckOptions {
  /** Stored objects may have duplicate items in sets and keyed lists; applied configurations may not. */
  readonly allowDuplicates: boolean;
  /** A value known to be valid: parts shared with it are not validated again. */
  readonly beside?: JsonValue;
}

/** The violations of a merge type in a value. Null is allowed everywhere. */
export function checkTyped(type: MergeType, value: JsonValue, options: TypedCheckOptions): TypedProblem[] {
  const checker = new Checker(options.allowDuplicates);
  checker.check(type, value, options.beside);
  return checker.problems;
}

class Checker {
  readonly problems: TypedProblem[] = [];
  readonly #path: PathElement[] = [];
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  check(type: MergeType, value: JsonValue, fine: JsonValue | undefined): void {
    if (value === null || value === fine || allowsAnything(type)) return;
    switch (kindOf(type, value)) {
      case 'map':
        if (type.map !== undefined) this.#map(type.map, value, fine);
        break;
      case 'list':
        if (type.list !== undefined) this.#list(type.list, value, fine);
        break;
      default: {
        const message = scalarProblem(type.scalar, value);
        if (message !== undefined) this.#report(message);
      }
    }
  }

  #map(type: MapType, value: JsonValue, beside: JsonValue | undefined): void {
    if (!isObject(value)) {
      this.#report(`expected map, got ${goPointer(value)}`);
      return;
    }
    if (type.fields.size === 0 && type.element !== undefined && allowsAnything(type.element)) return;
    const fine = isObject(beside) ? beside : {};
    for (const key of Object.keys(value)) {
      const child = entryType(type, key);
      if (child === undefined) {
        // One undeclared field ends the validation of this map, as upstream.
        this.#at(fieldElement(key), () => this.#report('field not declared in schema'));
        return;
      }
      const item = value[key];
      if (typeof item === 'object' || scalarProblem(child.scalar, item) !== undefined) {
        this.#at(fieldElement(key), () => this.check(child, item ?? null, own(fine, key)));
      }
    }
  }

  #list(type: ListType, value: JsonValue, beside: JsonValue | undefined): void {
    if (!Array.isArray(value)) {
      this.#report(`expected list, got ${goPointer(value)}`);
      return;
    }
    if (type.relationship === 'atomic' && allowsAnything(type.element)) return;
    const fine: readonly JsonValue[] = Array.isArray(beside) ? beside : [];
    const seen = this.#allowDuplicates || type.relationship === 'atomic' ? undefined : new Set<PathElement>();
    for (const [index, item] of value.entries()) {
      if (seen === undefined && isFineScalar(type, item)) continue;
      const element = this.#element(type, index, item);
      if (element === undefined) return;
      if (seen?.has(element) === true) this.#report(`duplicate entries for key ${elementText(element)}`);
      seen?.add(element);
      this.#at(element, () => this.check(type.element, item, fine[index]));
    }
  }

  /** The item's step; undefined, with an error, if it has none: then the rest of the list is not checked. */
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

/** With an unknown type, every value is valid. */
function allowsAnything(type: MergeType): boolean {
  return type === deducedType || type === untypedAtomicType;
}

/** Lists of numbers are long: an item that has its type, and an identity where the list is a set, needs no more looks. */
function isFineScalar(type: ListType, item: JsonValue): boolean {
  if (typeof item === 'object' || type.keys.length > 0) return false;
  return scalarProblem(type.element.scalar, item) === undefined;
}

const numeric = (value: unknown) =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Float64;

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
      return typeof value === 'object' && !(value instanceof Float64)
        ? `expected any scalar, got ${goPointer(value)}`
        : undefined;
    default:
      return 'no scalar';
  }
}
