import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  isObject,
  type JsonValue,
  notSupported,
  required,
} from '../../meta/index.ts';
import {
  isGiven,
  isSet,
  propertyOf,
  type SchemaDocument,
  schemaOf,
  textOf,
  textsOf,
} from './schema-document.ts';
import type { SchemaDemands } from './schema-site.ts';

const listTypeKeyword = 'x-kubernetes-list-type';
export const mapTypeKeyword = 'x-kubernetes-map-type';
const keysKeyword = 'x-kubernetes-list-map-keys';

/**
 * Validates `x-kubernetes-map-type`, `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`. Source:
 * ValidateCustomResourceDefinitionOpenAPISchema of k8s.io/apiextensions-apiserver.
 */
export function listErrors(schema: SchemaDocument, path: FieldPath, demands: SchemaDemands): FieldError[] {
  return [
    ...preserveErrors(schema, path),
    ...ownerTypeErrors(schema, path, { keyword: mapTypeKeyword, type: 'object' }),
    ...valueErrors(schema, path, { keyword: mapTypeKeyword, values: ['atomic', 'granular'] }),
    ...ownerTypeErrors(schema, path, { keyword: listTypeKeyword, type: 'array' }),
    ...(demands.atomicSets && textOf(schema, 'type') === 'array' ? setItemErrors(schema, path) : []),
    ...valueErrors(schema, path, { keyword: listTypeKeyword, values: ['atomic', 'set', 'map'] }),
    ...keysOwnerErrors(schema, path),
    ...(schema[listTypeKeyword] === 'map' ? mapErrors(schema, path) : []),
    ...(demands.soundListKeys ? listKeyErrors(schema, path) : []),
  ];
}

function preserveErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const keyword = 'x-kubernetes-preserve-unknown-fields';
  return schema[keyword] === false ? [invalid(path.child(keyword), false, 'must be true or undefined')] : [];
}

function ownerTypeErrors(
  schema: SchemaDocument,
  path: FieldPath,
  { keyword, type }: { readonly keyword: string; readonly type: string },
): FieldError[] {
  if (!isGiven(schema[keyword]) || schema['type'] === type) return [];
  const text = `must be ${type} if ${keyword} is specified`;
  const actual = textOf(schema, 'type');
  return [actual === '' ? required(path.child('type'), text) : invalid(path.child('type'), actual, text)];
}

function valueErrors(
  schema: SchemaDocument,
  path: FieldPath,
  { keyword, values }: { readonly keyword: string; readonly values: readonly string[] },
): FieldError[] {
  const value = schema[keyword];
  if (typeof value !== 'string' || values.includes(value)) return [];
  return [notSupported(path.child(keyword), value, values)];
}

/** Items of a set are compared as a whole, so they must be atomic; lists are by default, and objects are not. */
export function setItemErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const items = schemaOf(schema, 'items');
  if (schema[listTypeKeyword] !== 'set' || items === undefined) return [];
  const text = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items[listTypeKeyword] ?? null;
  if (items['type'] === 'array' && listType !== null && listType !== 'atomic') {
    return [invalid(path.child('items', listTypeKeyword), listType, text)];
  }
  if (items['type'] === 'object' && items[mapTypeKeyword] !== 'atomic') {
    return [invalid(path.child('items', mapTypeKeyword), listType, text)];
  }
  return [];
}

function keysOwnerErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const listType = schema[listTypeKeyword] ?? null;
  if (!isSet(schema[keysKeyword]) || listType === 'map') return [];
  const text = 'must be map if x-kubernetes-list-map-keys is non-empty';
  const at = path.child(listTypeKeyword);
  return [listType === null ? required(at, text) : invalid(at, listType, text)];
}

function mapErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const items: JsonValue = schema['items'] ?? null;
  if (!isSet(schema[keysKeyword])) {
    errors.push(required(path.child(keysKeyword), 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (items === null) {
    errors.push(required(path.child('items'), 'must have a schema if x-kubernetes-list-type is map'));
  } else if (!isObject(items)) {
    const text = 'must only have a single schema if x-kubernetes-list-type is map';
    errors.push(invalid(path.child('items'), items, text));
  } else if (items['type'] === 'object') {
    errors.push(...keyNameErrors(schema, items, path));
  } else {
    const text = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(path.child('items', 'type'), textOf(items, 'type'), text));
  }
  return errors;
}

function keyNameErrors(schema: SchemaDocument, items: SchemaDocument, path: FieldPath): FieldError[] {
  const keys = textsOf(schema, keysKeyword);
  return keys.flatMap((key, index) => {
    const errors: FieldError[] = [];
    const property = propertyOf(items, key);
    if (property === undefined) {
      errors.push(invalid(path.child(keysKeyword), keys, 'entries must all be names of item properties'));
    } else if (property['type'] === 'array' || property['type'] === 'object') {
      const text = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      // The error shows the type of the items, as upstream.
      errors.push(invalid(path.child('items', 'properties').key(key).child('type'), 'object', text));
    }
    if (keys.indexOf(key) < index) {
      errors.push(invalid(path.child(keysKeyword), keys, 'must not contain duplicate entries'));
    }
    return errors;
  });
}

/** Items of sets and maps, and map keys, must be present to be compared. */
export function listKeyErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const items = schemaOf(schema, 'items');
  const listType = schema[listTypeKeyword];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items['nullable'] === true) {
    const text = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbidden(path.child('items', 'nullable'), text));
  }
  if (listType === 'set') return errors;
  const requiredNames = new Set(textsOf(items, 'required'));
  const about = 'this property is in x-kubernetes-list-map-keys, so it';
  for (const key of textsOf(schema, keysKeyword)) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const at = path.child('items', 'properties').key(key);
    if (!requiredNames.has(key) && !isGiven(property['default'])) {
      errors.push(required(at.child('default'), `${about} must have a default or be a required property`));
    }
    if (property['nullable'] === true)
      errors.push(forbidden(at.child('nullable'), `${about} cannot be nullable`));
  }
  return errors;
}
