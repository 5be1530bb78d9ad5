import {
  checkDns1035Label,
  clone,
  type FieldError,
  FieldPath,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  ownString,
  parseGroupVersion,
  pathSegmentName,
  required,
  validateObjectMetaCreate,
} from '../../meta/index.ts';
import { coerceMetadata } from '../metadata/coerce-metadata.ts';
import { MetadataTypeError } from '../metadata/metadata-type-error.ts';
import type { SchemaNode } from '../schema-node.ts';
import { childPath, itemPath } from './paths.ts';

/**
 * Validates embedded resources (`x-kubernetes-embedded-resource`), at any depth.
 * Source of texts: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta.
 */
export function embeddedResourceErrors(node: SchemaNode, value: JsonValue, path?: FieldPath): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return [];
    return value.flatMap((item, index) => embeddedResourceErrors(items, item, itemPath(path, index)));
  }
  if (!isObject(value)) return [];
  const own = node.embeddedResource
    ? resourceErrors(value, (key) => path?.child(key) ?? FieldPath.of(key))
    : [];
  return own.concat(
    Object.entries(value).flatMap(([key, child]) => {
      const property = node.properties.get(key) ?? node.additionalProperties;
      return property === undefined
        ? []
        : embeddedResourceErrors(property, child, childPath(node, path, key));
    }),
  );
}

/** Validates the root of an embedded resource. */
export function ownResourceErrors(resource: JsonObject): FieldError[] {
  return resourceErrors(resource, (key) => FieldPath.of(key));
}

type PathOf = (key: string) => FieldPath;

function resourceErrors(resource: JsonObject, pathOf: PathOf): FieldError[] {
  return [
    ...typeFieldErrors(resource, 'apiVersion', pathOf('apiVersion'), groupVersionTexts),
    ...typeFieldErrors(resource, 'kind', pathOf('kind'), kindTexts),
    ...metadataErrors(resource, pathOf('metadata')),
  ];
}

function typeFieldErrors(
  resource: JsonObject,
  key: string,
  path: FieldPath,
  check: (text: string) => string[],
): FieldError[] {
  const value = own(resource, key);
  if (value === undefined) return [required(path)];
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  return check(value).map((text) => invalid(path, value, text));
}

function groupVersionTexts(apiVersion: string): string[] {
  const parsed = parseGroupVersion(apiVersion);
  return parsed === undefined ? [`unexpected GroupVersion string: ${apiVersion}`] : [];
}

function kindTexts(kind: string): string[] {
  const texts = checkDns1035Label(kind.toLowerCase());
  return texts.length === 0 ? [] : [`may have mixed case, but should otherwise match: ${texts.join(',')}`];
}

function metadataErrors(resource: JsonObject, path: FieldPath): FieldError[] {
  const metadata = own(resource, 'metadata');
  if (metadata === undefined) return [];
  const shaped = shapeMetadata(metadata);
  if (typeof shaped === 'string') return [invalid(path, metadata, shaped)];
  // A template has no name yet, and its namespace is optional.
  const named = ownString(shaped, 'name') === undefined ? { ...shaped, name: 'fakename' } : shaped;
  const namespaced = ownString(shaped, 'namespace') !== undefined;
  return validateObjectMetaCreate(named, { namespaced, names: pathSegmentName, path });
}

/** The decoded metadata, or the decoding error. */
function shapeMetadata(metadata: JsonValue): JsonObject | string {
  const holder: JsonObject = { metadata: clone(metadata) };
  try {
    coerceMetadata(holder);
  } catch (error) {
    if (error instanceof MetadataTypeError) return error.message;
    throw error;
  }
  const shaped = own(holder, 'metadata');
  return isObject(shaped) ? shaped : {};
}
