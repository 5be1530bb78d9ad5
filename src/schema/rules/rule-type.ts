import { type DeclaredType, declare, type FieldDeclaration } from '../../cel/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { escapeName } from './escape-name.ts';
import { resourceProperties } from './resource-properties.ts';
import {
  formattedBytes,
  maxBase64Bytes,
  maxItems,
  maxKeyBytes,
  maxProperties,
  maxTextBytes,
  minBytes,
} from './size-limits.ts';

/** The CEL type of a schema's values. */
export interface RuleType {
  readonly declared: DeclaredType;
  /** The minimum JSON length of a value of this schema. */
  readonly bytesMin: number;
}

/** The location of a schema. */
export interface TypePlace {
  /** True for the root of a custom or embedded resource. */
  readonly isResource: boolean;
  /** The type name in error messages; unique per schema. */
  readonly name: string;
}

/**
 * Maps schemas to CEL types: schemas without known structure have no type, and are invisible to rules.
 *
 * Source: pkg/cel/common/schemas.go of k8s.io/apiserver.
 */
export class RuleTypes {
  readonly #known = new Map<SchemaNode, RuleType | undefined>();
  readonly #properties = new Map<SchemaNode, ReadonlyMap<string, SchemaNode>>();

  /** The type of a schema; undefined if its values are invisible to rules. */
  of(node: SchemaNode, place: TypePlace): RuleType | undefined {
    if (this.#known.has(node)) return this.#known.get(node);
    const type = this.#make(node, place);
    this.#known.set(node, type);
    return type;
  }

  /** The type of a property. */
  ofProperty(node: SchemaNode, place: TypePlace, property: string): RuleType | undefined {
    const child = this.propertiesOf(node, place).get(property);
    return child === undefined ? undefined : this.of(child, placeOf(child, `${place.name}.${property}`));
  }

  /** The properties visible to rules; a resource has additional ones. */
  propertiesOf(node: SchemaNode, { isResource }: TypePlace): ReadonlyMap<string, SchemaNode> {
    if (!isResource) return node.properties;
    const known = this.#properties.get(node) ?? resourceProperties(node);
    this.#properties.set(node, known);
    return known;
  }

  /**
   * The type of a key in rules of its own: a string with the schema's maximum length, or the size of a request without
   * one.
   */
  ofKey(propertyNames: SchemaNode): RuleType {
    const maxElements = maxTextBytes(propertyNames);
    return { declared: declare.string({ maxElements }), bytesMin: minBytes.string };
  }

  /** The key type of a map in rules of the map: string, whatever the format. */
  ofKeys(map: SchemaNode): RuleType {
    return { declared: declare.string({ maxElements: maxKeyBytes(map) }), bytesMin: minBytes.string };
  }

  #make(node: SchemaNode, place: TypePlace): RuleType | undefined {
    const { nullable } = node;
    if (node.intOrString) {
      return { declared: declare.intOrString({ nullable, maxElements: maxTextBytes(node) }), bytesMin: 1 };
    }
    switch (node.type) {
      case 'array':
        return this.#list(node, place);
      case 'object':
        return node.additionalProperties === undefined ? this.#object(node, place) : this.#map(node, place);
      case 'string':
        return textType(node);
      case 'boolean':
        return { declared: declare.bool({ nullable, maxElements: 0 }), bytesMin: minBytes.boolean };
      case 'number':
        return { declared: declare.double({ nullable, maxElements: 0 }), bytesMin: minBytes.number };
      case 'integer':
        return { declared: declare.int({ nullable, maxElements: 0 }), bytesMin: minBytes.number };
      default:
        return undefined;
    }
  }

  #list(node: SchemaNode, { name }: TypePlace): RuleType | undefined {
    const { items, nullable, listMapKeys: mapKeys } = node;
    const item = items === undefined ? undefined : this.of(items, placeOf(items, `${name}.@idx`));
    if (item === undefined) return undefined;
    const listType = node.listType === 'set' || node.listType === 'map' ? node.listType : 'atomic';
    const options = { nullable, listType, mapKeys, maxElements: maxItems(node, item.bytesMin) } as const;
    return { declared: declare.list(item.declared, options), bytesMin: minBytes.container };
  }

  #map(node: SchemaNode, { name }: TypePlace): RuleType | undefined {
    const { additionalProperties: values, nullable } = node;
    if (values === undefined) return undefined;
    const value = this.of(values, placeOf(values, `${name}.@elem`));
    if (value === undefined) return undefined;
    const maxElements = maxProperties(node, value.bytesMin);
    const keys = this.ofKeys(node).declared;
    return {
      declared: declare.map(value.declared, { nullable, keys, maxElements }),
      bytesMin: minBytes.container,
    };
  }

  #object(node: SchemaNode, place: TypePlace): RuleType {
    const fields: [string, FieldDeclaration][] = [];
    let bytesMin: number = minBytes.container;
    for (const [property, child] of this.propertiesOf(node, place)) {
      const type = this.ofProperty(node, place, property);
      const name = escapeName(property);
      // Properties without a name or type cannot be selected, but count in comparisons of objects.
      const isHidden = name === undefined || type === undefined;
      fields.push([name ?? property, { property, type: type?.declared ?? unknownType, isHidden }]);
      if (type === undefined) continue;
      // Quotes, a colon and a comma. A property with a default may be omitted.
      const isSent = node.required.includes(property) && child.default === undefined;
      if (isSent) bytesMin += Buffer.byteLength(property) + type.bytesMin + 4;
    }
    return { declared: declare.object(place.name, fields, { nullable: node.nullable }), bytesMin };
  }
}

/** A type without known structure. */
const unknownType = declare.preserved({ nullable: true });

/** The location of the root schema. */
export const rootPlace: TypePlace = Object.freeze({ isResource: true, name: 'selfType' });

/** The location of a child schema. */
export function placeOf(node: SchemaNode, name: string): TypePlace {
  return { isResource: node.embeddedResource, name };
}

function textType(node: SchemaNode): RuleType {
  const { nullable } = node;
  const { durationMin, durationMax, date, dateTimeMin, dateTimeMax } = formattedBytes;
  switch (node.format) {
    case 'byte':
      return {
        declared: declare.bytes({ nullable, maxElements: maxBase64Bytes(node) }),
        bytesMin: minBytes.string,
      };
    case 'duration':
      return { declared: declare.duration({ nullable, maxElements: durationMax }), bytesMin: durationMin };
    case 'date':
      return { declared: declare.date({ nullable, maxElements: date }), bytesMin: date };
    case 'date-time':
      return { declared: declare.timestamp({ nullable, maxElements: dateTimeMax }), bytesMin: dateTimeMin };
    default:
      return {
        declared: declare.string({ nullable, maxElements: maxTextBytes(node) }),
        bytesMin: minBytes.string,
      };
  }
}
