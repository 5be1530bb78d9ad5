import { reservedWords } from '../parser/reserved-words.ts';
import * as types from './type.ts';

/** The maximum number of bytes, elements or entries; only used by the cost estimate. */
interface SizeLimit {
  readonly maxElements?: number;
}

/** Attributes of every declaration. */
interface Nullable {
  /** Whether null is allowed; otherwise null is invalid data. */
  readonly nullable?: boolean;
}

/**
 * A type, and how the caller's JSON is converted to it.
 *
 * | kind | JSON | value |
 * |---|---|---|
 * | `bool`, `string`, `null` | itself | itself |
 * | `int` | integral number, bigint | int |
 * | `double` | any number | double, even where it is integral |
 * | `bytes` | base64 string | bytes |
 * | `timestamp` | RFC 3339 string | timestamp |
 * | `date` | `2006-01-02` | timestamp |
 * | `duration` | Go's duration string | duration |
 * | `intOrString` | integral number or string | int or string, of type dyn |
 * | `dyn` | anything | bool, int, double (where not integral), string, list, map |
 * | `preserved` | anything | itself, to be compared only |
 * | `list`, `map`, `object` | array, object | the caller's own, read in place |
 *
 * Values (see values/value.ts) are accepted unchanged in place of JSON.
 */
export type DeclaredType =
  | ScalarDeclaration
  | ListDeclaration
  | MapDeclaration
  | ObjectDeclaration
  | OptionalDeclaration;

export type ScalarKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'date'
  | 'duration'
  | 'null'
  | 'dyn'
  | 'preserved'
  | 'intOrString'
  | 'opaque';

export interface ScalarDeclaration extends SizeLimit, Nullable {
  readonly kind: ScalarKind;
  readonly type: types.Type;
}

export interface ListDeclaration extends SizeLimit, Nullable {
  readonly kind: 'list';
  readonly type: types.Type;
  readonly items: DeclaredType;
  /** Kubernetes' list types: sets and map-lists ignore the order in `==`, and `+` merges. */
  readonly listType: 'atomic' | 'set' | 'map';
  /** The JSON properties that identify an element of a map-list. */
  readonly mapKeys: readonly string[];
}

export interface MapDeclaration extends SizeLimit, Nullable {
  readonly kind: 'map';
  readonly type: types.Type;
  readonly keys: DeclaredType;
  readonly values: DeclaredType;
}

/** A field of an object. */
export interface FieldDeclaration {
  /** The JSON property; the caller chooses the name in expressions (including escaping). */
  readonly property: string;
  readonly type: DeclaredType;
  /** Set for a field that cannot be selected, but counts in comparisons and iteration. */
  readonly isHidden?: boolean;
  /** Set if null is a regular value that differs from absent. */
  readonly keepsNull?: boolean;
}

export interface ObjectDeclaration extends Nullable {
  readonly kind: 'object';
  readonly type: types.Type;
  readonly fields: ReadonlyMap<string, FieldDeclaration>;
  /** The JSON properties of all fields. */
  readonly properties: ReadonlySet<string>;
  readonly maxElements?: number;
}

/**
 * The field of a name. Kubernetes escapes a property named like a reserved word (`__if__`), but expressions may also
 * select it directly: `self.if`, `self.namespace`.
 */
export function fieldOf(type: ObjectDeclaration, name: string): FieldDeclaration | undefined {
  return type.fields.get(name) ?? (reservedWords.has(name) ? type.fields.get(`__${name}__`) : undefined);
}

/** An optional value bound by the caller: `undefined` in the bindings is none. */
export interface OptionalDeclaration extends SizeLimit, Nullable {
  readonly kind: 'optional';
  readonly type: types.Type;
  readonly value: DeclaredType;
}

type ScalarOptions = SizeLimit & Nullable;

function scalar(kind: ScalarKind, type: types.Type): (options?: ScalarOptions) => ScalarDeclaration {
  return (options = {}) => ({ kind, type, ...options });
}

/** The constructors of declarations. */
export const declare = {
  bool: scalar('bool', types.boolType),
  int: scalar('int', types.intType),
  uint: scalar('uint', types.uintType),
  double: scalar('double', types.doubleType),
  string: scalar('string', types.stringType),
  bytes: scalar('bytes', types.bytesType),
  timestamp: scalar('timestamp', types.timestampType),
  date: scalar('date', types.timestampType),
  duration: scalar('duration', types.durationType),
  null: scalar('null', types.nullType),
  dyn: scalar('dyn', types.dynType),
  preserved: scalar('preserved', types.dynType),
  intOrString: scalar('intOrString', types.dynType),
  /** A type without JSON representation, such as a quantity. */
  value: (type: types.Type): ScalarDeclaration => ({ kind: 'opaque', type }),

  list(
    items: DeclaredType,
    options: ScalarOptions & {
      readonly listType?: 'atomic' | 'set' | 'map';
      readonly mapKeys?: readonly string[];
    } = {},
  ): ListDeclaration {
    return {
      kind: 'list',
      type: types.listType(items.type),
      items,
      listType: 'atomic',
      mapKeys: [],
      ...options,
    };
  },

  map(values: DeclaredType, options: ScalarOptions & { readonly keys?: DeclaredType } = {}): MapDeclaration {
    const keys = options.keys ?? scalar('string', types.stringType)({ maxElements: 0 });
    return { kind: 'map', type: types.mapType(keys.type, values.type), values, ...options, keys };
  },

  /** An object with named fields. Types with different fields need different names. */
  object(
    name: string,
    fields: Iterable<readonly [name: string, type: DeclaredType | FieldDeclaration]>,
    options: Nullable & { readonly maxElements?: number } = {},
  ): ObjectDeclaration {
    const byName = new Map<string, FieldDeclaration>();
    for (const [field, type] of fields)
      byName.set(field, 'property' in type ? type : { property: field, type });
    const properties = new Set(Array.from(byName.values(), ({ property }) => property));
    return { kind: 'object', type: types.structType(name), fields: byName, properties, ...options };
  },

  optional(value: DeclaredType): OptionalDeclaration {
    return { kind: 'optional', type: types.optionalType(value.type), value };
  },
} as const;
