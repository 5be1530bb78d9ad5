import { isObject, type JsonObject, type JsonValue, own, ownObject, put } from '../../meta/index.ts';
import { base64, quantity } from '../definition/derived-schema.ts';
import type { Definitions } from './definitions.ts';

/**
 * How a schema is read: as documents show it and objects merge by it, or as objects are held to it. They are held to
 * the types of their fields alone: what else is required of Kubernetes' own kinds is said in Go, and clients leave out,
 * or send empty, much of what OpenAPI calls required.
 */
export type Reading = 'published' | 'checked';

const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const anyValue: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };
const intOrString: JsonObject = { 'x-kubernetes-int-or-string': true };

const quantityName = /\.api\.resource\.Quantity$/;

/** Types of Kubernetes whose JSON differs from their schema. */
const special: readonly (readonly [RegExp, JsonObject])[] = [
  [quantityName, intOrString],
  [/\.util\.intstr\.IntOrString$/, intOrString],
  [/\.runtime\.RawExtension$/, anything],
  [/\.meta\.v1\.FieldsV1$/, anything],
  [/\.apiextensions\.[^.]+\.JSON$/, anyValue],
];

const typeKeys = [
  'type',
  'format',
  'nullable',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-map-type',
] as const;

const valueKeys = [
  'required',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

const noteKeys = [
  'title',
  'description',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-patch-strategy',
] as const;

const keysOf: Readonly<Record<Reading, readonly string[]>> = {
  published: [...typeKeys, ...valueKeys, ...noteKeys],
  checked: typeKeys,
};

/** Expands the references in the schemas of a document. Equal references share one schema. */
export class StructuralSchemas {
  readonly #definitions: Definitions;
  readonly #made = new Map<string, JsonObject>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** The structural schema of a definition that was checked. */
  schemaOf(name: string, reading: Reading): JsonObject {
    return this.#definition(name, reading, new Set());
  }

  #definition(name: string, reading: Reading, within: ReadonlySet<string>): JsonObject {
    if (reading === 'checked' && quantityName.test(name)) return quantity;
    const exception = special.find(([form]) => form.test(name));
    if (exception !== undefined) return exception[1];
    // Recursive schemas are infinite: a recursive reference accepts anything.
    if (within.has(name)) return anyValue;
    const key = `${reading} ${name}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const schema = this.#node(this.#definitions.get(name), reading, new Set(within).add(name));
    this.#made.set(key, schema);
    return schema;
  }

  #node(node: JsonObject, reading: Reading, within: ReadonlySet<string>): JsonObject {
    const target = this.#definitions.targetOf(node);
    if (target !== undefined) {
      return { ...this.#definition(target, reading, within), ...notesBeside(node, reading) };
    }
    if (own(node, 'format') === 'int-or-string') return { ...intOrString, ...notesBeside(node, reading) };
    const below = this.#below(node, (child) => this.#node(child, reading, within));
    return { ...typed(node, reading), ...defaultOf(node), ...below };
  }

  /** The content of a node; a node without a schema for it accepts anything. */
  #below(node: JsonObject, convert: (child: JsonObject) => JsonObject): JsonObject {
    const below: JsonObject = {};
    for (const key of ['items', 'additionalProperties']) {
      const child = own(node, key);
      if (isObject(child)) below[key] = convert(child);
    }
    const properties = ownObject(node, 'properties');
    if (properties !== undefined) {
      const converted: JsonObject = {};
      for (const [name, child] of Object.entries(properties))
        if (isObject(child)) put(converted, name, convert(child));
      below['properties'] = converted;
    }
    return Object.keys(below).length > 0 ? below : unsaid(own(node, 'type'));
  }
}

function unsaid(type: JsonValue | undefined): JsonObject {
  if (type === undefined) return anyValue;
  if (type === 'array') return { items: anyValue };
  return type === 'object' ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
}

function notesBeside(node: JsonObject, reading: Reading): JsonObject {
  return { ...(reading === 'published' ? picked(node, noteKeys) : {}), ...defaultOf(node) };
}

/** Go's zero values in documents are artifacts of their generation, not defaults. */
function defaultOf(node: JsonObject): JsonObject {
  const value = own(node, 'default');
  const isZero = !value || (isObject(value) && Object.keys(value).length === 0);
  return isZero ? {} : { default: value };
}

/** Bytes may be none, which the format does not take. */
function typed(node: JsonObject, reading: Reading): JsonObject {
  const isBytes = reading === 'checked' && own(node, 'format') === 'byte';
  return isBytes ? base64 : picked(node, keysOf[reading]);
}

function picked(node: JsonObject, keys: readonly string[]): JsonObject {
  const result: JsonObject = {};
  for (const key of keys) {
    const value = own(node, key);
    if (value !== undefined) result[key] = value;
  }
  return result;
}
