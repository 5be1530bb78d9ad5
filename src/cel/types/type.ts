/** The kinds of types. */
export type TypeKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'typeParam'
  | 'uint';

/** A CEL type in the checker. Compare types with {@link sameType}. */
export interface Type {
  readonly kind: TypeKind;
  /** Its run-time name; for a struct, an opaque type and a type parameter its own. */
  readonly name: string;
  /** Element, key and value types, or an opaque type's parameters. */
  readonly params: readonly Type[];
}

function simple(kind: TypeKind, name: string = kind): Type {
  return Object.freeze({ kind, name, params: Object.freeze([]) });
}

export const boolType = simple('bool');
export const bytesType = simple('bytes');
export const doubleType = simple('double');
export const durationType = simple('duration', 'google.protobuf.Duration');
export const dynType = simple('dyn');
export const errorType = simple('error', '*error*');
export const intType = simple('int');
export const nullType = simple('null', 'null_type');
export const stringType = simple('string');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp');
export const uintType = simple('uint');
/** The type of types. */
export const typeType = simple('type');

export function listType(element: Type): Type {
  return { kind: 'list', name: 'list', params: [element] };
}

export function mapType(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', params: [key, value] };
}

export function opaqueType(name: string, params: readonly Type[] = []): Type {
  return { kind: 'opaque', name, params };
}

export function optionalType(value: Type): Type {
  return opaqueType('optional_type', [value]);
}

export function structType(name: string): Type {
  return simple('struct', name);
}

export function typeParam(name: string): Type {
  return simple('typeParam', name);
}

/** The type denoted by this type value. */
export function typeOfType(type: Type): Type {
  return { kind: 'type', name: 'type', params: [type] };
}

export function isOptionalType(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** The type of an optional's value; other types are returned unchanged. */
export function unwrapOptional(type: Type): Type {
  return isOptionalType(type) ? (type.params[0] ?? dynType) : type;
}

/** The type of a list's elements or a map's values; dyn for other types. */
export function elementType(type: Type): Type {
  return type.params.at(-1) ?? dynType;
}

export function sameType(left: Type, right: Type): boolean {
  if (left === right) return true;
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.params.length === right.params.length &&
    left.params.every((param, index) => {
      const other = right.params[index];
      return other !== undefined && sameType(param, other);
    })
  );
}

/** A type as error messages print it: `list(int)`, `map(string, dyn)`, `timestamp`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'duration':
    case 'timestamp':
    case 'null':
      return type.kind;
    case 'error':
      return '!error!';
    default:
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(', ')})`;
  }
}

/** A call's signature as error messages print it: `(int, string)`, `string.(int)`. */
export function formatSignature(args: readonly Type[], isMember: boolean): string {
  const texts = args.map(formatType);
  return isMember ? `${texts[0]}.(${texts.slice(1).join(', ')})` : `(${texts.join(', ')})`;
}
