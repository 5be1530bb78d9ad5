import {
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { docComment } from './doc-comment.ts';
import type { TypeNames } from './type-names.ts';

/** A member of an interface. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly comment: string;
}

interface SchemaTypesOptions {
  readonly names: TypeNames;
  /** The type of metadata of embedded objects. */
  readonly objectMeta: string;
  /** Additional tags of a field, by its path: `.spec.ports[*].name`. */
  readonly tagsOf: (path: string) => readonly string[];
}

/** The place of a schema. */
interface Place {
  /** The steps that name its type. */
  readonly steps: readonly string[];
  /** `.spec.ports[*].name` */
  readonly path: string;
}

const anything = 'unknown';

/** Converts the schemas of a module to types; every object with named fields becomes an interface. */
export class SchemaTypes {
  readonly #options: SchemaTypesOptions;
  readonly #interfaces: string[] = [];

  constructor(options: SchemaTypesOptions) {
    this.#options = options;
  }

  /** The interfaces so far, inner ones first. */
  get interfaces(): readonly string[] {
    return this.#interfaces;
  }

  /** The type of a schema. */
  typeOf(schema: JsonObject, place: Place): string {
    const type = this.#plainType(schema, place);
    return own(schema, 'nullable') === true && type !== anything ? `${type} | null` : type;
  }

  #plainType(schema: JsonObject, place: Place): string {
    const values = ownList(schema, 'enum');
    if (values !== undefined) return union(values);
    if (own(schema, 'x-kubernetes-int-or-string') === true) return 'number | string';
    switch (ownString(schema, 'type')) {
      case 'string':
      case 'boolean':
        return ownString(schema, 'type') ?? anything;
      case 'integer':
      case 'number':
        return 'number';
      case 'array':
        return this.#arrayType(schema, place);
      case 'object':
        return this.#objectType(schema, place);
      default:
        return anything;
    }
  }

  #arrayType(schema: JsonObject, place: Place): string {
    const item = this.typeOf(ownObject(schema, 'items') ?? {}, within(place));
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }

  #objectType(schema: JsonObject, place: Place): string {
    const values = own(schema, 'additionalProperties');
    if (isObject(values)) return mapType(schema, this.typeOf(values, within(place)));
    const members = this.members(schema, place);
    const isOpen = values === true || own(schema, 'x-kubernetes-preserve-unknown-fields') === true;
    if (members.length === 0) return isOpen ? '{ [key: string]: unknown }' : 'Record<string, never>';
    const description = own(schema, 'description') ?? '';
    return this.declare(this.#options.names.take(place.steps), members, {
      isOpen,
      comment: docComment({ description }, ''),
    });
  }

  /** The fields of an object. Embedded objects also have the standard fields. */
  members(schema: JsonObject, { steps, path }: Place): Member[] {
    const properties = Object.entries(ownObject(schema, 'properties') ?? {}).filter(isNamedSchema);
    const required = new Set(ownList(schema, 'required') ?? []);
    const fields = properties.map(([name, property]) => {
      const place = { steps: [...steps, name], path: `${path}.${name}` };
      return {
        name,
        type: this.typeOf(property, place),
        optional: !required.has(name),
        comment: docComment(property, '  ', this.#options.tagsOf(place.path)),
      };
    });
    return own(schema, 'x-kubernetes-embedded-resource') === true ? this.#embedded(fields) : fields;
  }

  #embedded(members: readonly Member[]): Member[] {
    const always = { optional: false, comment: '' } as const;
    const meta = { name: 'metadata', type: this.#options.objectMeta, optional: true, comment: '' };
    const objectFields = new Set(['apiVersion', 'kind', 'metadata']);
    return [
      { name: 'apiVersion', type: 'string', ...always },
      { name: 'kind', type: 'string', ...always },
      meta,
      ...members.filter(({ name }) => !objectFields.has(name)),
    ];
  }

  /** Adds an interface under a reserved name, and returns the name. */
  declare(
    name: string,
    members: readonly Member[],
    { isOpen, comment }: { readonly isOpen: boolean; readonly comment: string },
  ): string {
    const lines = members.map(
      ({ name: field, type, optional, comment: said }) =>
        `${said}  ${key(field)}${optional ? '?' : ''}: ${type};\n`,
    );
    const rest = isOpen ? '  [key: string]: unknown;\n' : '';
    this.#interfaces.push(`${comment}export interface ${name} {\n${lines.join('')}${rest}}\n`);
    return name;
  }
}

function isNamedSchema(entry: [string, JsonValue]): entry is [string, JsonObject] {
  return isObject(entry[1]);
}

/** The place of a list item or map value. */
function within({ steps, path }: Place): Place {
  return { steps, path: `${path}[*]` };
}

/** A map; if its keys are enumerated (`x-kubernetes-property-names`), they are optional members. */
function mapType(schema: JsonObject, value: string): string {
  const keys = ownList(ownObject(schema, 'x-kubernetes-property-names') ?? {}, 'enum');
  return keys === undefined ? `{ [key: string]: ${value} }` : `Partial<Record<${union(keys)}, ${value}>>`;
}

function union(values: readonly JsonValue[]): string {
  return values.length === 0 ? 'never' : [...new Set(values.map(literal))].join(' | ');
}

/** Numbers of more than 53 bits have no exact literal. */
function literal(value: JsonValue): string {
  if (typeof value === 'bigint') return 'number';
  return typeof value === 'object' && value !== null ? anything : JSON.stringify(value);
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
