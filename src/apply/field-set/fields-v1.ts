import {
  compareBytes,
  emptyDictionary,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../meta/index.ts';
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
type FieldsOrder = 'wire' | 'fieldpath';

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

/** Wider nodes are made as hash tables from the start. */
const wideFrom = 1_000;

function encodeNode(
  set: FieldSet,
  sort: (elements: Iterable<PathElement>) => PathElement[],
  encode: (set: FieldSet) => JsonObject,
): JsonObject {
  const out: JsonObject = set.children.size > wideFrom ? emptyDictionary() : {};
  if (set.owned && set.children.size > 0) out['.'] = {};
  for (const element of sort(set.children.keys())) {
    const child = set.children.get(element);
    // Every element starts with a letter and a colon, so none is a key that objects treat specially.
    if (child !== undefined) out[element] = encode(child);
  }
  return out;
}

/** Sets by the documents that they were read from. Such documents must not be changed. */
export type KnownSets = WeakMap<JsonObject, FieldSet>;

/**
 * Reads FieldsV1 documents. Order and spacing are free; steps of an unknown kind are dropped with all below them.
 *
 * A document that is written as this module writes it, as all are that come from the store, is checked at once and
 * read when somebody looks inside: a write asks for the few fields that it changes, not for the thousand that it does
 * not. One reader for all entries of an object reads every distinct key once, and items that own the same fields share
 * one node: in a list of a thousand containers that is nearly all of them.
 */
export class FieldsV1Reader {
  readonly #known: KnownSets | undefined;
  readonly #elements = new Map<string, PathElement | undefined>();
  readonly #shapes = new Map<string, FieldSet>();

  constructor(known?: KnownSets) {
    this.#known = known;
  }

  /** @throws {FieldsFormatError} for anything that is no FieldsV1 document. */
  read(document: JsonValue): FieldSet {
    if (!isObject(document)) throw new FieldsFormatError('fieldsV1 must be an object');
    const before = this.#known?.get(document);
    if (before !== undefined) return before;
    const set = (this.#canonicalNode(document) ?? this.#node(document)).withOwned(false);
    this.#known?.set(document, set);
    return set;
  }

  /** The node of a document that is the very one the node is written as; undefined for any other. */
  #canonicalNode(document: JsonObject): FieldSet | undefined {
    const keys = Object.keys(document);
    if (keys.length === 0) return FieldSet.leaf;
    const nodes = this.#canonicalNodes(document, keys);
    // A path in the set with nothing below it is written without the dot.
    if (nodes === undefined || nodes.length === 0) return undefined;
    const shape = shapeOf(keys, nodes);
    const twin = shape === undefined ? undefined : this.#shapes.get(shape);
    if (twin !== undefined) return twin;
    const owned = keys[0] === '.';
    const node = FieldSet.unread(owned, document, () => childrenOf(owned ? keys.slice(1) : keys, nodes));
    if (shape !== undefined) this.#shapes.set(shape, node);
    return node;
  }

  /** The nodes below the keys of a canonical document, the dot left out. */
  #canonicalNodes(document: JsonObject, keys: readonly string[]): FieldSet[] | undefined {
    const nodes: FieldSet[] = [];
    let previous = '';
    for (const key of keys) {
      const value = document[key];
      // Nearly the order of bytes, and quicker; whoever writes bytes looks at the order once more.
      if (key < previous) return undefined;
      previous = key;
      const isLeaf = isEmptyObject(value);
      if (key === '.') {
        if (!isLeaf) return undefined;
        continue;
      }
      if (this.#element(key) !== key) return undefined;
      const node = isLeaf ? FieldSet.leaf : isObject(value) ? this.#canonicalNode(value) : undefined;
      if (node === undefined) return undefined;
      nodes.push(node);
    }
    return nodes;
  }

  /** Reads a document as it comes, all of it. */
  #node(document: JsonValue): FieldSet {
    if (!isObject(document)) throw new FieldsFormatError('every value in fieldsV1 must be an object');
    const children = new Map<PathElement, FieldSet>();
    const keys = Object.keys(document);
    for (const key of keys) if (key !== '.') this.#child(children, key, document[key] ?? null);
    return FieldSet.node(keys.includes('.') || children.size === 0, children);
  }

  #child(children: Map<PathElement, FieldSet>, key: string, value: JsonValue): void {
    const element = this.#element(key);
    if (element === undefined) return;
    const node = this.#node(value);
    const twin = children.get(element);
    children.set(element, twin === undefined ? node : twin.union(node));
  }

  #element(key: string): PathElement | undefined {
    if (key.charCodeAt(0) === letterF && key.charCodeAt(1) === colon) return key;
    if (this.#elements.has(key)) return this.#elements.get(key);
    const element = parsePathElement(key);
    this.#elements.set(key, element);
    return element;
  }
}

const letterF = 0x66;
const colon = 0x3a;

function childrenOf(keys: readonly string[], nodes: readonly FieldSet[]): ReadonlyMap<PathElement, FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  for (const [index, node] of nodes.entries()) children.set(keys[index] ?? '', node);
  return children;
}

/** What a small node is told by that has nothing but leaves below it: its keys. Undefined for any other one. */
function shapeOf(keys: readonly string[], nodes: readonly FieldSet[]): string | undefined {
  if (keys.length > sharedShapeKeysMax || nodes.some((node) => node !== FieldSet.leaf)) return undefined;
  return keys.some((key) => key.includes('\n')) ? undefined : keys.join('\n');
}

/** Larger nodes are not looked up by their keys: the text would cost more than the node. */
const sharedShapeKeysMax = 16;

function isEmptyObject(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

/**
 * The set of a document that {@link encodeFieldsV1} wrote: nothing is checked, and nothing read before somebody looks
 * inside. Such a document must not be changed.
 *
 * @throws {FieldsFormatError} when it is looked into and is no FieldsV1 document after all
 */
export function ownFieldsV1(document: JsonObject): FieldSet {
  return ownNode(document).withOwned(false);
}

function ownNode(document: JsonObject): FieldSet {
  const owned = Object.hasOwn(document, '.');
  // To list the keys of a large object takes its time. One that has the dot has others beside it.
  if (!owned && isEmptyObject(document)) return FieldSet.leaf;
  return FieldSet.unread(owned, document, () => {
    const keys = Object.keys(document).filter((key) => key !== '.');
    return childrenOf(
      keys,
      keys.map((key) => ownChild(document[key])),
    );
  });
}

function ownChild(value: JsonValue | undefined): FieldSet {
  if (!isObject(value)) throw new FieldsFormatError('every value in fieldsV1 must be an object');
  return ownNode(value);
}

/**
 * Reads one FieldsV1 document.
 *
 * @throws {FieldsFormatError} for anything that is no FieldsV1 document.
 */
export function decodeFieldsV1(document: JsonValue): FieldSet {
  return new FieldsV1Reader().read(document);
}
