import {
  atOnce,
  compareBytes,
  emptyDictionary,
  isObject,
  type JsonObject,
  type JsonValue,
  sortInSteps,
  type Steps,
} from '../../meta/index.ts';
import { FieldSet } from './field-set.ts';
import { sortElements, FieldsFormatError, type PathElement, parsePathElement } from './path-element.ts';

/**
 * FieldsV1, the encoding of a field set in `metadata.managedFields[].fieldsV1`: `{"f:spec":{"f:replicas":{}}}`. An
 * empty object is a path in the set; `"."` marks a path in the set that also has paths below it.
 * Source: structured-merge-diff fieldpath/serialize.go.
 */

/**
 * `wire` sorts keys bytewise, as in the JSON of a custom resource from an API server; `fieldpath` uses the order of
 * the field set, as typed built-in kinds do.
 */
type FieldsOrder = 'wire' | 'fieldpath';

/** Encodes a set as FieldsV1. In `wire` order the result shares parts of the documents that the set was read from. */
export function encodeFieldsV1(set: FieldSet, order: FieldsOrder = 'wire'): JsonObject {
  return order === 'wire' ? atOnce(encodeFieldsV1InSteps(set)) : encodeInOrder(set.withOwned(false));
}

/** {@link encodeFieldsV1} in `wire` order, in steps. */
export function encodeFieldsV1InSteps(set: FieldSet): Steps<JsonObject> {
  return encodeOnWireInSteps(set.withOwned(false));
}

/** So many children of a wide node are written in one step. */
const childrenInStep = 1_024;

function* encodeOnWireInSteps(set: FieldSet): Steps<JsonObject> {
  if (set.document !== undefined) return set.document;
  const { children } = set;
  const out = emptyNode(set);
  let count = 0;
  const elements = [...children.keys()];
  const sorted =
    elements.length > childrenInStep
      ? yield* sortInSteps(elements, compareBytes)
      : elements.sort(compareBytes);
  for (const element of sorted) {
    count += 1;
    if (count % childrenInStep === 0) yield;
    const child = children.get(element);
    if (child !== undefined) out[element] = child.hasNoChildren ? {} : yield* encodeOnWireInSteps(child);
  }
  return out;
}

function encodeInOrder(set: FieldSet): JsonObject {
  const out = emptyNode(set);
  for (const element of sortElements(set.children.keys())) {
    const child = set.children.get(element);
    // Every element starts with a letter and a colon, so none is a key that objects treat specially.
    if (child !== undefined) out[element] = encodeInOrder(child);
  }
  return out;
}

/** Wider nodes start as hash tables. */
const wideFrom = 1_000;

/** The document of a node without what is below it. */
function emptyNode({ owned, children }: FieldSet): JsonObject {
  const out: JsonObject = children.size > wideFrom ? emptyDictionary() : {};
  if (owned && children.size > 0) out['.'] = {};
  return out;
}

/** Sets by the documents that they were read from. The documents must not change. */
export type KnownSets = WeakMap<JsonObject, FieldSet>;

/**
 * Decodes FieldsV1 documents. Order and spacing are free. Steps of an unknown kind are dropped with everything below
 * them.
 *
 * A document in canonical form, as all stored documents are, is only checked at once and decoded on access: a write
 * needs the few fields that it changes, not the other thousand. One decoder for all entries of an object decodes each
 * distinct key once, and items that own the same fields share one node: in a list of a thousand containers, nearly
 * all do.
 */
export class FieldsV1Reader {
  readonly #known: KnownSets | undefined;
  readonly #elements = new Map<string, PathElement | undefined>();
  readonly #shapes = new Map<string, FieldSet>();

  constructor(known?: KnownSets) {
    this.#known = known;
  }

  /** @throws {FieldsFormatError} for an invalid FieldsV1 document. */
  read(document: JsonValue): FieldSet {
    if (!isObject(document)) throw new FieldsFormatError('fieldsV1 must be an object');
    const before = this.#known?.get(document);
    if (before !== undefined) return before;
    const set = (this.#canonicalNode(document) ?? this.#node(document)).withOwned(false);
    this.#known?.set(document, set);
    return set;
  }

  /** The node of a canonical document; undefined for any other document. */
  #canonicalNode(document: JsonObject): FieldSet | undefined {
    const keys = Object.keys(document);
    if (keys.length === 0) return FieldSet.leaf;
    const nodes = this.#canonicalNodes(document, keys);
    // A path in the set without children is written without the dot.
    if (nodes === undefined || nodes.length === 0) return undefined;
    const shape = shapeOf(keys, nodes);
    const twin = shape === undefined ? undefined : this.#shapes.get(shape);
    if (twin !== undefined) return twin;
    const owned = keys[0] === '.';
    const node = FieldSet.unread(owned, document, () => childrenOf(owned ? keys.slice(1) : keys, nodes));
    if (shape !== undefined) this.#shapes.set(shape, node);
    return node;
  }

  /** The children in a canonical document, without the dot. */
  #canonicalNodes(document: JsonObject, keys: readonly string[]): FieldSet[] | undefined {
    const nodes: FieldSet[] = [];
    let previous = '';
    for (const key of keys) {
      const value = document[key];
      // Nearly bytewise order, and faster; the encoder checks the order once more.
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

  /** Decodes a document completely. */
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
    if (key.charCodeAt(1) === colon && (key.charCodeAt(0) === letterF || smallInteger.test(key))) return key;
    if (this.#elements.has(key)) return this.#elements.get(key);
    const element = parsePathElement(key);
    this.#elements.set(key, element);
    return element;
  }
}

/** Items of sets of integers, which are long, are in canonical form already. */
const smallInteger = /^v:(?:0|-?[1-9][0-9]{0,14})$/;
const letterF = 0x66;
const colon = 0x3a;

function childrenOf(keys: readonly string[], nodes: readonly FieldSet[]): ReadonlyMap<PathElement, FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  for (const [index, node] of nodes.entries()) children.set(keys[index] ?? '', node);
  return children;
}

/** The identity of a small node that has only leaves as children: its keys. Undefined for other nodes. */
function shapeOf(keys: readonly string[], nodes: readonly FieldSet[]): string | undefined {
  if (keys.length > sharedShapeKeysMax || nodes.some((node) => node !== FieldSet.leaf)) return undefined;
  return keys.some((key) => key.includes('\n')) ? undefined : keys.join('\n');
}

/** Larger nodes are not shared by keys: making the key text would cost more than the node. */
const sharedShapeKeysMax = 16;

function isEmptyObject(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

/**
 * The set of a document that {@link encodeFieldsV1} wrote. Nothing is checked, and nothing is decoded before it is
 * accessed. The document must not change.
 *
 * @throws {FieldsFormatError} on access, if it is not a FieldsV1 document
 */
export function ownFieldsV1(document: JsonObject): FieldSet {
  return ownNode(document).withOwned(false);
}

function ownNode(document: JsonObject): FieldSet {
  const owned = Object.hasOwn(document, '.');
  // Listing the keys of a large object is slow. An object with the dot has other keys too.
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
 * Decodes one FieldsV1 document.
 *
 * @throws {FieldsFormatError} for an invalid FieldsV1 document.
 */
export function decodeFieldsV1(document: JsonValue): FieldSet {
  return new FieldsV1Reader().read(document);
}
