import { clone, isObject, type JsonObject, type JsonValue, own, put, Float64 } from '../../meta/index.ts';
import { coerceMetadata } from '../metadata/coerce-metadata.ts';
import type { SchemaNode } from '../schema-node.ts';
import { everyEntry, takeWithheld, withheldBelow, type WithheldDefaults } from '../withheld-defaults.ts';
import { coerceEmbedded } from './coerce-embedded.ts';
import { NormalizeRun } from './normalize-run.ts';
import { pruneEverything } from './prune-everything.ts';

/** Normalizes a value at a depth by its schema, in place. */
export type Normalizer<T extends JsonValue = JsonValue> = (
  value: T,
  run: NormalizeRun,
  depth: number,
) => void;

/** The location of a node in the whole schema. */
interface NormalizerPlace {
  /** The schema whose properties name the steps of a path. */
  readonly root: SchemaNode;
  /** True for the root of a resource, whose metadata is coerced separately. */
  readonly isRoot: boolean;
  /**
   * The treatment of undeclared fields. `keep` is for items of a list that preserves unknown fields, and also keeps
   * those of the items; `keep-deep` is for metadata, which is coerced.
   */
  readonly unknown: 'prune' | 'keep' | 'keep-deep';
  /** Withheld defaults at and below the node; undefined if all are applied. */
  readonly withheld?: WithheldDefaults | undefined;
  /** True for the metadata of an embedded resource: defaults for fields that ObjectMeta lacks are not applied. */
  readonly isMetadata?: boolean;
}

/**
 * Compiles a schema to one walk that prunes, drops nulls, coerces embedded metadata and applies defaults. Upstream
 * walks four times; the result is the same, because every step concerns a single node.
 *
 * Closures are created when a value first reaches a node, and objects are walked by their own keys.
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

/** The location of a child. */
function innerPlace(place: NormalizerPlace, key: string): NormalizerPlace {
  const unknown = place.unknown === 'keep-deep' ? 'keep-deep' : 'prune';
  const withheld = withheldBelow(place.withheld, key);
  return { ...place, isRoot: false, unknown, withheld, isMetadata: false };
}

/** The location of the metadata of an embedded resource. */
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

/** The properties of a node that its parent needs. */
interface Child {
  readonly normalize: Normalizer;
  /** True if null is a valid value. */
  readonly keepsNull: boolean;
  /** Creates the default that replaces null; undefined if there is none. */
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

/** Creates copies of a node's default, which is normalized on first use. */
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

/** Whether ObjectMeta has the field. Source: apiextensions-apiserver, schema/defaulting/prune.go. */
function isInMetadata(key: string, value: JsonValue): boolean {
  const metadata: JsonObject = {};
  put(metadata, key, value);
  const coerced = asMetadata(metadata);
  return isObject(coerced) && Object.hasOwn(coerced, key);
}

/** Reduces a value to what ObjectMeta can represent. */
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

/** Returns the treatment of an entry; undefined if the schema does not declare it. */
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

/** Entries of a map. A boolean `additionalProperties` describes nothing: objects are emptied. */
function compileOther(node: SchemaNode, place: NormalizerPlace): Child {
  if (node.additionalProperties !== undefined) return compileChild(node.additionalProperties, place);
  const normalize = place.unknown === 'keep-deep' ? () => {} : pruneEverything;
  return { normalize, keepsNull: true, nullBecomes: undefined };
}

/** Kubernetes' own fields of an embedded resource: coerced first, then the schema's defaults apply. */
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

/** An entry with an empty key moves to the default key, unless that exists: then validation reports it. */
function applyKeyDefault(object: JsonObject, keyDefault: JsonValue | undefined): void {
  if (typeof keyDefault !== 'string' || keyDefault === '') return;
  const value = own(object, '');
  if (value === undefined || Object.hasOwn(object, keyDefault)) return;
  delete object[''];
  put(object, keyDefault, value);
}
