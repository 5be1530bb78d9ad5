import { type FeatureGates, isObject, type JsonObject, type JsonValue } from '../meta/index.ts';
import { findFormat } from './formats/format-table.ts';
import { Pattern } from './pattern.ts';

/**
 * One node of a structural schema, parsed once from its JSON.
 *
 * Children are parsed on first access: a schema of a megabyte costs nothing until an object arrives, and then only
 * along that object's paths.
 *
 * Keywords of the wrong JSON type count as absent: decoding a CustomResourceDefinition refuses them before.
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
export class SchemaNode {
  readonly raw: JsonObject;
  readonly gates: FeatureGates;

  /** As written; empty if absent. */
  readonly type: string;
  /** The allowed types: none for any, two for int-or-string. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly intOrString: boolean;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly listType: string;
  readonly listMapKeys: readonly string[];
  readonly mapType: string;
  /** The default; null counts as none, as upstream. */
  readonly default: JsonValue | undefined;

  /** The format as written, if it applies to the type; else empty. */
  readonly format: string;
  /** Validates a string by the format; undefined for number formats. */
  readonly acceptsFormat: ((text: string) => boolean) | undefined;
  readonly enum: readonly JsonValue[];
  readonly pattern: Pattern | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly required: readonly string[];
  /** `x-kubernetes-validations`, as written. */
  readonly rules: readonly JsonObject[];

  #properties: ReadonlyMap<string, SchemaNode> | undefined;
  #items: SchemaNode | null | undefined;
  #additionalProperties: SchemaNode | null | undefined;
  #propertyNames: SchemaNode | null | undefined;
  readonly #branches = new Map<string, readonly SchemaNode[]>();

  constructor(raw: JsonObject, gates: FeatureGates) {
    this.raw = raw;
    this.gates = gates;
    this.type = text(raw['type']);
    this.intOrString = raw['x-kubernetes-int-or-string'] === true;
    this.types = this.intOrString ? intOrStringTypes : this.type === '' ? noTypes : [this.type];
    this.nullable = raw['nullable'] === true;
    this.preserveUnknownFields = raw['x-kubernetes-preserve-unknown-fields'] === true;
    this.embeddedResource = raw['x-kubernetes-embedded-resource'] === true;
    this.listType = text(raw['x-kubernetes-list-type']);
    this.listMapKeys = texts(raw['x-kubernetes-list-map-keys']);
    this.mapType = text(raw['x-kubernetes-map-type']);
    this.default = raw['default'] ?? undefined;
    const format = findFormat(text(raw['format']), this.types, gates);
    this.format = format === undefined ? '' : text(raw['format']);
    this.acceptsFormat = format?.accepts;
    this.enum = list(raw['enum']);
    const pattern = text(raw['pattern']);
    this.pattern = pattern === '' ? undefined : new Pattern(pattern);
    this.minLength = count(raw['minLength']);
    this.maxLength = count(raw['maxLength']);
    this.minimum = count(raw['minimum']);
    this.exclusiveMinimum = raw['exclusiveMinimum'] === true;
    this.maximum = count(raw['maximum']);
    this.exclusiveMaximum = raw['exclusiveMaximum'] === true;
    this.multipleOf = count(raw['multipleOf']);
    this.minItems = count(raw['minItems']);
    this.maxItems = count(raw['maxItems']);
    this.uniqueItems = raw['uniqueItems'] === true;
    this.minProperties = count(raw['minProperties']);
    this.maxProperties = count(raw['maxProperties']);
    this.required = texts(raw['required']);
    this.rules = list(raw['x-kubernetes-validations']).filter(isObject);
  }

  /** The declared properties in order of declaration. */
  get properties(): ReadonlyMap<string, SchemaNode> {
    this.#properties ??= this.#readProperties();
    return this.#properties;
  }

  #readProperties(): ReadonlyMap<string, SchemaNode> {
    const raw = this.raw['properties'];
    if (!isObject(raw)) return noProperties;
    const nodes = new Map<string, SchemaNode>();
    for (const [name, schema] of Object.entries(raw)) {
      if (isObject(schema)) nodes.set(name, new SchemaNode(schema, this.gates));
    }
    return nodes;
  }

  /** The schema of list items. */
  get items(): SchemaNode | undefined {
    if (this.#items === undefined) this.#items = this.#child('items');
    return this.#items ?? undefined;
  }

  /** The schema of map values; undefined if `additionalProperties` is absent or a boolean. */
  get additionalProperties(): SchemaNode | undefined {
    if (this.#additionalProperties === undefined) {
      this.#additionalProperties = this.#child('additionalProperties');
    }
    return this.#additionalProperties ?? undefined;
  }

  /** True if undeclared keys are kept: `additionalProperties` is present, as a schema or a boolean. */
  get isMap(): boolean {
    const raw = this.raw['additionalProperties'];
    return isObject(raw) || typeof raw === 'boolean';
  }

  /** True for `additionalProperties: false`, which structural schemas do not use. */
  get forbidsOtherKeys(): boolean {
    return this.raw['additionalProperties'] === false;
  }

  /** The schema of map keys (KEP-5667); undefined if its gate is off. */
  get propertyNames(): SchemaNode | undefined {
    if (this.#propertyNames === undefined) {
      this.#propertyNames = this.gates.CRDPropertyNameSchemas
        ? this.#child('x-kubernetes-property-names')
        : null;
    }
    return this.#propertyNames ?? undefined;
  }

  get allOf(): readonly SchemaNode[] {
    return this.#branch('allOf');
  }

  get anyOf(): readonly SchemaNode[] {
    return this.#branch('anyOf');
  }

  get oneOf(): readonly SchemaNode[] {
    return this.#branch('oneOf');
  }

  /** The schema of `not`, as a list of at most one. */
  get not(): readonly SchemaNode[] {
    return this.#branch('not');
  }

  #child(keyword: string): SchemaNode | null {
    const raw = this.raw[keyword];
    return isObject(raw) ? new SchemaNode(raw, this.gates) : null;
  }

  #branch(keyword: string): readonly SchemaNode[] {
    const known = this.#branches.get(keyword);
    if (known !== undefined) return known;
    const raw = this.raw[keyword];
    const schemas = (keyword === 'not' ? [raw] : list(raw)).filter(isObject);
    const nodes =
      schemas.length === 0 ? noNodes : schemas.map((schema) => new SchemaNode(schema, this.gates));
    this.#branches.set(keyword, nodes);
    return nodes;
  }
}

const noTypes: readonly string[] = Object.freeze([]);
const noNodes: readonly SchemaNode[] = Object.freeze([]);
const noProperties: ReadonlyMap<string, SchemaNode> = new Map();
const intOrStringTypes: readonly string[] = Object.freeze(['integer', 'string']);
const noValues: readonly JsonValue[] = Object.freeze([]);

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : noTypes;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : noValues;
}

/** Bounds are float64 upstream, so a bigint loses the same digits here. */
function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
