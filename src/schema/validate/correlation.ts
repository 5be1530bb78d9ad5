import { equal, goQuote, isObject, type JsonObject, type JsonValue, own } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';

/**
 * A value of the new object and its counterpart in the stored one (KEP-4008).
 *
 * Fields and map entries correspond by name, items of `x-kubernetes-list-type: map` by their keys. Items of other lists
 * and undeclared fields have no counterpart.
 */
export class Correlation {
  readonly node: SchemaNode;
  readonly value: JsonValue;
  readonly old: JsonValue;
  #unchanged: boolean | undefined;
  #oldItems: ReadonlyMap<string, JsonObject> | undefined;
  readonly #children = new Map<string | number, Correlation | undefined>();

  constructor(node: SchemaNode, value: JsonValue, old: JsonValue) {
    this.node = node;
    this.value = value;
    this.old = old;
  }

  /** The pair of a field or map key; undefined if the old value lacks the key. */
  key(name: string): Correlation | undefined {
    if (!this.#children.has(name)) this.#children.set(name, this.#findKey(name));
    return this.#children.get(name);
  }

  #findKey(name: string): Correlation | undefined {
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    const value = own(this.value, name);
    const old = own(this.old, name);
    const node = this.node.properties.get(name) ?? this.node.additionalProperties;
    if (value === undefined || old === undefined || node === undefined) return undefined;
    return new Correlation(node, value, old);
  }

  /** The pair of a list item; undefined if the list is not of type map, or the old one lacks the item. */
  index(index: number): Correlation | undefined {
    if (!this.#children.has(index)) this.#children.set(index, this.#findIndex(index));
    return this.#children.get(index);
  }

  #findIndex(index: number): Correlation | undefined {
    const { items, listType } = this.node;
    const value = Array.isArray(this.value) ? this.value[index] : undefined;
    if (items === undefined || listType !== 'map' || !isObject(value) || !Array.isArray(this.old))
      return undefined;
    const key = itemKey(value, this.node.listMapKeys);
    if (key === undefined) return undefined;
    this.#oldItems ??= itemsByKey(this.old, this.node.listMapKeys);
    const old = this.#oldItems.get(key);
    return old === undefined ? undefined : new Correlation(items, value, old);
  }

  /** True if the values are equal, as far as the schema declares them. The order of map lists is ignored. */
  get isUnchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value)) {
      if (!Array.isArray(old) || value.length !== old.length) return false;
      const correlatable = this.node.listType === 'map' && this.node.type === 'array';
      if (!correlatable) return equal(value, old);
      return value.every((_, index) => this.index(index)?.isUnchanged ?? false);
    }
    if (isObject(value)) {
      if (!isObject(old) || Object.keys(value).length !== Object.keys(old).length) return false;
      return Object.keys(value).every((name) => this.key(name)?.isUnchanged ?? false);
    }
    return equal(value, old);
  }
}

/** The keys of a list item as a string; undefined if one is missing or not a scalar. */
export function itemKey(item: JsonObject, keys: readonly string[]): string | undefined {
  const parts: string[] = [];
  for (const key of keys) {
    const value = own(item, key);
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    parts.push(typeof value === 'string' ? goQuote(value) : `${value}`);
  }
  return parts.join('\0');
}

/** The first item of each key, as upstream. */
export function itemsByKey(
  items: readonly JsonValue[],
  keys: readonly string[],
): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const item of items) {
    if (!isObject(item)) continue;
    const key = itemKey(item, keys);
    if (key !== undefined && !found.has(key)) found.set(key, item);
  }
  return found;
}
