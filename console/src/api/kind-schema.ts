/** The parts of an OpenAPI v3 schema that the pages read. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number | bigint;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly nullable?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
  readonly 'x-kubernetes-selectable-fields'?: readonly {
    readonly fieldPath?: string;
    readonly jsonPath?: string;
  }[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
  /** The schema of map keys (KEP-5667). */
  readonly 'x-kubernetes-property-names'?: Schema;
  /** The gate of the field, in OpenAPI (KEP-2608). */
  readonly 'x-kubernetes-feature-gate'?: {
    readonly name?: string;
    readonly preRelease?: string;
    readonly enabled?: boolean;
  };
  readonly 'x-kubernetes-enum-feature-gates'?: readonly {
    readonly featureGate?: string;
    readonly values?: readonly unknown[];
  }[];
}

/** A CEL rule. */
export interface ValidationRule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
  readonly featureGate?: string;
}

/** The schema of a kind, and the schemas it references. */
export class KindSchema {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly root: Schema;

  constructor(schemas: Readonly<Record<string, Schema>>, root: Schema) {
    this.#schemas = schemas;
    this.root = root;
  }

  /** Resolves a reference. */
  resolve(schema: Schema | undefined): Schema | undefined {
    let found = schema;
    for (let steps = 0; steps < 10 && found !== undefined; steps += 1) {
      const name = /^#\/components\/schemas\/(.+)$/.exec(found.$ref ?? found.allOf?.[0]?.$ref ?? '')?.[1];
      if (name === undefined) return found;
      const target: Schema | undefined = Object.hasOwn(this.#schemas, name) ? this.#schemas[name] : undefined;
      found = target === undefined ? undefined : { ...target, ...withoutReference(found) };
    }
    return found;
  }

  /** The schema of a field; numbers in the path are list indexes. */
  at(path: readonly (string | number)[]): Schema | undefined {
    let schema = this.resolve(this.root);
    for (const part of path) {
      if (schema === undefined) return undefined;
      schema = this.resolve(typeof part === 'number' ? schema.items : childOf(schema, part));
    }
    return schema;
  }
}

function withoutReference({ $ref: _, allOf: _all, ...rest }: Schema): Schema {
  return rest;
}

function childOf({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The paths that field selectors support, besides metadata. */
export function selectableFields(schema: KindSchema | undefined): readonly string[] {
  const declared = schema?.root['x-kubernetes-selectable-fields'] ?? [];
  return declared.map(({ fieldPath, jsonPath }) => (fieldPath ?? jsonPath ?? '').replace(/^\./, ''));
}
