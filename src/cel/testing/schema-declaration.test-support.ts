import { declare, type DeclaredType } from '../types/declared-type.ts';

/** The subset of structural schemas that the tests use. */
export interface TestSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly items?: TestSchema;
  readonly additionalProperties?: TestSchema;
  readonly properties?: Readonly<Record<string, TestSchema>>;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

const maxRequestBytes = 3_145_728;

/** Declares a schema as Kubernetes does, with its default sizes. */
export function declareSchema(schema: TestSchema, path: string): DeclaredType {
  const nullable = { nullable: schema.nullable === true };
  const textSize = schema.maxLength === undefined ? maxRequestBytes - 2 : schema.maxLength * 4;
  if (schema['x-kubernetes-int-or-string'])
    return declare.intOrString({ maxElements: textSize, ...nullable });
  switch (schema.type) {
    case 'array':
      return declareList(schema, path);
    case 'object':
      return declareObject(schema, path);
    case 'boolean':
      return declare.bool(nullable);
    case 'integer':
      return declare.int(nullable);
    case 'number':
      return declare.double(nullable);
    default:
      return declareText(schema, textSize);
  }
}

function declareText(schema: TestSchema, textSize: number): DeclaredType {
  const nullable = { nullable: schema.nullable === true };
  switch (schema.format) {
    case 'byte':
      return declare.bytes({ maxElements: schema.maxLength ?? maxRequestBytes - 2, ...nullable });
    case 'duration':
      return declare.duration({ maxElements: 32, ...nullable });
    case 'date':
      return declare.date({ maxElements: 12, ...nullable });
    case 'date-time':
      return declare.timestamp({ maxElements: 32, ...nullable });
    default: {
      const longest = schema.enum && Math.max(...schema.enum.map((text) => text.length));
      return declare.string({
        maxElements: schema.maxLength === undefined ? (longest ?? textSize) : textSize,
        ...nullable,
      });
    }
  }
}

function declareList(schema: TestSchema, path: string): DeclaredType {
  const { items = {}, maxItems = Math.floor((maxRequestBytes - 2) / (minBytes(items) + 1)) } = schema;
  return declare.list(declareSchema(items, `${path}.@idx`), {
    maxElements: maxItems,
    listType: schema['x-kubernetes-list-type'] ?? 'atomic',
    mapKeys: schema['x-kubernetes-list-map-keys'] ?? [],
  });
}

function declareObject(schema: TestSchema, path: string): DeclaredType {
  const { additionalProperties: values, properties = {} } = schema;
  if (values !== undefined) {
    const maxElements = schema.maxProperties ?? Math.floor((maxRequestBytes - 2) / (minBytes(values) + 6));
    return declare.map(declareSchema(values, `${path}.@values`), { maxElements });
  }
  const fields = Object.entries(properties).map(
    ([name, property]) =>
      [escapeName(name), { property: name, type: declareSchema(property, `${path}.${name}`) }] as const,
  );
  return declare.object(path, fields);
}

function escapeName(name: string): string {
  return name.replaceAll('__', '__underscores__').replaceAll('.', '__dot__').replaceAll('-', '__dash__');
}

/** The minimum JSON size of a value, in bytes. */
function minBytes(schema: TestSchema): number {
  if (schema['x-kubernetes-int-or-string'] || schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return 4;
  const { required = [], properties = {} } = schema;
  return required.reduce((bytes, name) => bytes + name.length + minBytes(properties[name] ?? {}) + 4, 2);
}
