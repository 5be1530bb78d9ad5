import { clone, isObject, type JsonObject, type JsonValue, own, put, Float64 } from '../../meta/index.ts';
import { coerceMetadata } from '../metadata/coerce-metadata.ts';
import type { SchemaNode } from '../schema-node.ts';
import { everyEntry, takeWithheld, withheldBelow, type WithheldDefaults } from '../withheld-defaults.ts';
import { coerceEmbedded } from './coerce-embedded.ts';
import { NormalizeRun } from './normalize-run.ts';
import { pruneEverything } from './prune-everything.ts';

/** Brings a value at a depth into the shape of its schema, in place. */
export type Normalizer<T extends JsonValue = JsonValue> = (
  value: T,
  run: NormalizeRun,
  depth: number,
) => void;

/** Where in the whole schema a node stands. */
interface NormalizerPlace {
  /** Whose properties name the steps of a path. */
  readonly root: SchemaNode;
  /** True for the root of a resource, whose metadata is coerced before. */
  readonly isRoot: boolean;
  /**
   * What happens to fields that the node does not declare. `keep` is for items of a list that preserves unknown
   * fields, whose own are then left alone too; `keep-deep` for metadata, which has its own rules.
   */
  readonly unknown: 'prune' | 'keep' | 'keep-deep';
  /** Defaults at and below the node that are not applied; undefined where all are. */
  readonly withheld?: WithheldDefaults | undefined;
  /** True for the metadata of an embedded resource: defaults that ObjectMeta has no room for do not apply. */
  readonly isMetadata?: boolean;
}

/**
 * Turns a schema into one walk that prunes, drops nulls, coerces embedded metadata and applies defaults. Upstream
 * walks four times; the result is the same, because every step looks at one node only.
 *
 * Closures are made when a value first reaches a node, and objects are walked by their own keys.
 *
 * Sources: pruning/algorithm.go, defaulting/algorithm.go and prunenulls.go of apiextensions-apiserver.
 */
export function compileNormalizer(node: SchemaNode, place: NormalizerPlace): Normalizer {
  let normalizeObject: Normalizer<JsonObject> | undefined;
  let normalizeList: Normalizer<JsonValue[]> | undefined;
  return (value, run, depth) => {
    if (typeof value !== 'object' || value === null || value instanceof Float64) return;
    if (Array.isArray(value)) {
      normalizeList ??= compileList(node, place);
      normalizeList(value, run, depth);
    } else {
      normalizeObject ??= compileObject(node, place);
      normalizeObject(value, run, depth);
    }
  };
}

/** The place of what stands below a node. */
function innerPlace(place: NormalizerPlace, key: string): NormalizerPlace {
  const unknown = place.unknown === 'keep-deep' ? 'keep-deep' : 'prune';
  const withheld = withheldBelow(place.withheld, key);
  return { ...place, isRoot: false, unknown, withheld, isMetadata: false };
}

/** The place of the metadata of an embedded resource. */
function metadataPlace(place: NormalizerPlace): NormalizerPlace {
  return { ...innerPlace(place, 'metadata'), unknown: 'keep-deep', isMetadata: true };
}

function compileList(node: SchemaNode, place: NormalizerPlace): Normalizer<JsonValue[]> {
  const keeps = node.preserveUnknownFields || place.unknown !== 'prune';
  const unknown = place.unknown === 'prune' && keeps ? 'keep' : place.unknown;
  const { items } = node;
  if (items === undefined && keeps) return () => {};
  const withheld = place.withheld?.below.get(everyEntry);
  const within = { ...place, unknown, isRoot: false, withheld } as const;
  const item = items === undefined ? undefined : compileChild(items, within);
  return (list, run, depth) => {
    for (let index = 0; index < list.length; index += 1) {
      const value = list[index] ?? null;
      if (!run.enter(index, value, depth)) continue;
      if (item === undefined) pruneEverything(value, run, depth + 1);
      else if (value !== null) item.normalize(value, run, depth + 1);
      else if (item.nullBecomes !== undefined && run.applyDefaults) list[index] = item.nullBecomes();
    }
  };
}

/** A node as seen from its parent. */
interface Child {
  readonly normalize: Normalizer;
  /** True where null is a value like any other. */
  readonly keepsNull: boolean;
  /** Makes the default that null is replaced by; undefined where there is none. */
  readonly nullBecomes: (() => JsonValue) | undefined;
}

function compileChild(node: SchemaNode, place: NormalizerPlace): Child {
  const normalize = compileNormalizer(node, place);
  const { nullable } = node;
  const nullBecomes = nullable || !hasDefault(node, place) ? undefined : compileDefault(node, place);
  return { normalize, keepsNull: nullable, nullBecomes };
}

function hasDefault(node: SchemaNode, place: NormalizerPlace): boolean {
  return node.default !== undefined && place.withheld?.here !== true;
}

/** Makes copies of a node's default, which is itself brought into shape the first time. */
function compileDefault(node: SchemaNode, place: NormalizerPlace): () => JsonValue {
  let normal: JsonValue | undefined;
  return () => {
    if (normal === undefined) {
      const copy = clone(node.default ?? null);
      const run = new NormalizeRun({ track: false, dropInvalidMetadata: true });
      compileNormalizer(node, { ...place, root: node, isRoot: false })(copy, run, 0);
      takeWithheld(copy, place.withheld);
      normal = place.isMetadata === true ? asMetadata(copy) : copy;
    }
    return clone(normal);
  };
}

/** The defaults of the fields of an object. */
type Defaults = readonly { readonly key: string; readonly make: () => JsonValue }[];

function compileDefaults(node: SchemaNode, place: NormalizerPlace): Defaults {
  const placeOf = (key: string) =>
    node.embeddedResource && key === 'metadata' ? metadataPlace(place) : innerPlace(place, key);
  return [...node.properties].flatMap(([key, property]) => {
    const inner = placeOf(key);
    if (!hasDefault(property, inner)) return [];
    if (place.isMetadata === true && !isInMetadata(key, property.default ?? null)) return [];
    return [{ key, make: compileDefault(property, inner) }];
  });
}

/** Whether ObjectMeta has such a field. Source: apiextensions-apiserver, schema/defaulting/prune.go. */
function isInMetadata(key: string, value: JsonValue): boolean {
  const metadata: JsonObject = {};
  put(metadata, key, value);
  const coerced = asMetadata(metadata);
  return isObject(coerced) && Object.hasOwn(coerced, key);
}

/** A value as ObjectMeta can hold it. */
function asMetadata(value: JsonValue): JsonValue {
  const holder: JsonObject = { metadata: clone(value) };
  coerceMetadata(holder, { dropInvalid: true });
  return own(holder, 'metadata') ?? {};
}

function compileObject(node: SchemaNode, place: NormalizerPlace): Normalizer<JsonObject> {
  const keepsUnknown = node.preserveUnknownFields || place.unknown !== 'prune';
  const findChild = compileChildren(node, place);
  const defaults = compileDefaults(node, place);
  const ownsMetadata = place.isRoot || node.embeddedResource;
  const { propertyNames } = node;
  const normalizeMetadata = node.embeddedResource ? compileEmbeddedMetadata(node, place) : undefined;
  return (object, run, depth) => {
    if (propertyNames !== undefined && run.applyDefaults) applyKeyDefault(object, propertyNames.default);
    for (const key in object) {
      if (ownsMetadata && (key === 'apiVersion' || key === 'kind' || key === 'metadata')) continue;
      const child = findChild(key);
      if (child === undefined) {
        if (keepsUnknown || run.onlyDefaults) continue;
        run.drop(key, depth);
        delete object[key];
        continue;
      }
      const value = object[key] ?? null;
      if (value !== null) {
        if (typeof value !== 'object') continue;
        if (run.enter(key, value, depth)) child.normalize(value, run, depth + 1);
      } else if (child.nullBecomes !== undefined) {
        if (run.applyDefaults) put(object, key, child.nullBecomes());
      } else if (!child.keepsNull && !run.onlyDefaults) {
        delete object[key];
      }
    }
    normalizeMetadata?.(object, run, depth);
    if (!run.applyDefaults) return;
    for (const { key, make } of defaults) if (!Object.hasOwn(object, key)) put(object, key, make());
  };
}

/** Finds how an entry is treated; undefined for one that the schema does not know. */
function compileChildren(node: SchemaNode, place: NormalizerPlace): (key: string) => Child | undefined {
  const children = new Map<string, Child>();
  let other: Child | undefined;
  const keep = (key: string, child: Child) => {
    children.set(key, child);
    return child;
  };
  return (key) => {
    const known = children.get(key) ?? (place.withheld?.below.has(key) === true ? undefined : other);
    if (known !== undefined) return known;
    const property = node.properties.get(key);
    if (property !== undefined) return keep(key, compileChild(property, innerPlace(place, key)));
    if (!node.isMap) return undefined;
    const made = compileOther(node, innerPlace(place, key));
    if (place.withheld?.below.has(key) === true) return keep(key, made);
    if (node.properties.size === 0) other = made;
    return made;
  };
}

/** Entries of a map. Where `additionalProperties` is a boolean, nothing describes them: objects are emptied. */
function compileOther(node: SchemaNode, place: NormalizerPlace): Child {
  if (node.additionalProperties !== undefined) return compileChild(node.additionalProperties, place);
  const normalize = place.unknown === 'keep-deep' ? () => {} : pruneEverything;
  return { normalize, keepsNull: true, nullBecomes: undefined };
}

/** The fields of an embedded resource that are Kubernetes' own: coerced first, then the schema's defaults apply. */
function compileEmbeddedMetadata(node: SchemaNode, place: NormalizerPlace): Normalizer<JsonObject> {
  const schema = node.properties.get('metadata');
  const child = schema === undefined ? undefined : compileChild(schema, metadataPlace(place));
  return (object, run, depth) => {
    const dropsNull = child !== undefined && !child.keepsNull && child.nullBecomes === undefined;
    if (!run.onlyDefaults) {
      if (dropsNull && own(object, 'metadata') === null) delete object['metadata'];
      coerceEmbedded(object, place.root, run, depth);
    }
    const metadata = own(object, 'metadata') ?? null;
    if (child === undefined || metadata === null || !run.enter('metadata', metadata, depth)) return;
    child.normalize(metadata, run, depth + 1);
  };
}

/** An entry under the empty key moves to the key's default, unless that is taken: then validation reports it. */
function applyKeyDefault(object: JsonObject, keyDefault: JsonValue | undefined): void {
  if (typeof keyDefault !== 'string' || keyDefault === '') return;
  const value = own(object, '');
  if (value === undefined || Object.hasOwn(object, keyDefault)) return;
  delete object[''];
  put(object, keyDefault, value);
}
