import { compareBytes, isObject, type JsonObject, type JsonValue } from '../meta/index.ts';
import { FieldSet } from './field-set.ts';
import { sortElements, FieldsFormatError, type PathElement, parsePathElement } from './path-element.ts';

/**
 * FieldsV1, the form in which `metadata.managedFields[].fieldsV1` holds a field set: `{"f:spec":{"f:replicas":{}}}`.
 * An empty object is a path in the set, `"."` marks a path in the set that also has something below it.
 * Source: structured-merge-diff fieldpath/serialize.go.
 */

/**
 * `wire` sorts keys bytewise, as a custom resource leaves an API server (its JSON is a sorted map);
 * `fieldpath` sorts them as the field set does, which is what typed built-in kinds print.
 */
export type FieldsOrder = 'wire' | 'fieldpath';

/** Writes a set as FieldsV1; in `wire` order the result shares with the documents that the set was read from. */
export function encodeFieldsV1(set: FieldSet, order: FieldsOrder = 'wire'): JsonObject {
  const root = set.withOwned(false);
  return order === 'wire' ? encodeOnWire(root) : encodeInOrder(root);
}

function encodeOnWire(set: FieldSet): JsonObject {
  return set.document ?? encodeNode(set, sortBytewise, encodeOnWire);
}

function encodeInOrder(set: FieldSet): JsonObject {
  return encodeNode(set, sortElements, encodeInOrder);
}

function sortBytewise(elements: Iterable<PathElement>): PathElement[] {
  return [...elements].sort(compareBytes);
}

function encodeNode(
  set: FieldSet,
  sort: (elements: Iterable<PathElement>) => PathElement[],
  encode: (set: FieldSet) => JsonObject,
): JsonObject {
  const out: JsonObject = {};
  if (set.owned && set.children.size > 0) out['.'] = {};
  for (const element of sort(set.children.keys())) {
    const child = set.children.get(element);
    // Every element starts with a letter and a colon, so none is a key that objects treat specially.
    if (child !== undefined) out[element] = encode(child);
  }
  return out;
}

/**
 * Reads FieldsV1 documents. Order and spacing are free; steps of an unknown kind are dropped with all below them.
 * One reader for all entries of an object reads every distinct key once, and items that own the same fields share
 * one node: in a list of a thousand containers that is nearly all of them.
 */
export class FieldsV1Reader {
  readonly #elements = new Map<string, PathElement | undefined>();
  readonly #shapes = new Map<string, FieldSet>();

  /** @throws {FieldsFormatError} for anything that is no FieldsV1 document. */
  read(document: JsonValue): FieldSet {
    if (!isObject(document)) throw new FieldsFormatError('fieldsV1 must be an object');
    return this.#node(document).withOwned(false);
  }

  #node(document: JsonValue): FieldSet {
    if (!isObject(document)) throw new FieldsFormatError('every value in fieldsV1 must be an object');
    const keys = Object.keys(document);
    if (keys.length === 0) return FieldSet.leaf;
    const leavesOnly = keys.every((key) => isEmptyObject(document[key]) && !key.includes('\n'));
    if (keys.length > sharedShapeKeysMax || !leavesOnly) return this.#build(document, keys);
    const shape = keys.join('\n');
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    const node = this.#build(document, keys);
    this.#shapes.set(shape, node);
    return node;
  }

  #build(document: JsonObject, keys: readonly string[]): FieldSet {
    const children = new Map<PathElement, FieldSet>();
    let owned = false;
    let canonical = true;
    let previous = '';
    for (const key of keys) {
      if (compareBytes(previous, key) > 0) canonical = false;
      previous = key;
      const value = document[key] ?? null;
      if (key === '.') {
        owned = true;
        if (!isEmptyObject(value)) canonical = false;
      } else if (!this.#child(children, key, value)) {
        canonical = false;
      }
    }
    return FieldSet.node(owned || children.size === 0, children, canonical ? document : undefined);
  }

  /** Adds the node below a key; false where it would be written in another way. */
  #child(children: Map<PathElement, FieldSet>, key: string, value: JsonValue): boolean {
    const element = this.#element(key);
    if (element === undefined) return false;
    const node = this.#node(value);
    const twin = children.get(element);
    children.set(element, twin === undefined ? node : twin.union(node));
    return element === key && (node === FieldSet.leaf ? isEmptyObject(value) : node.document !== undefined);
  }

  #element(key: string): PathElement | undefined {
    if (key.startsWith('f:')) return key;
    if (this.#elements.has(key)) return this.#elements.get(key);
    const element = parsePathElement(key);
    this.#elements.set(key, element);
    return element;
  }
}

/** Larger nodes are not looked up by their keys: the text would cost more than the node. */
const sharedShapeKeysMax = 16;

function isEmptyObject(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

/**
 * Reads one FieldsV1 document.
 *
 * @throws {FieldsFormatError} for anything that is no FieldsV1 document.
 */
export function decodeFieldsV1(document: JsonValue): FieldSet {
  return new FieldsV1Reader().read(document);
}
