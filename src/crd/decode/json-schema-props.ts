import { isObject, type JsonValue } from '../../meta/index.ts';
import { CrdDecodeError } from './crd-decode-error.ts';
import {
  always,
  bool,
  float64,
  type GoField,
  type GoType,
  int64,
  json,
  list,
  map,
  omitEmpty,
  pointer,
  string,
  struct,
} from './go-type.ts';
import type { Place } from './place.ts';

/** A schema or a boolean: `additionalProperties`. */
const schemaOrBool: GoType = {
  name: 'v1.JSONSchemaPropsOrBool',
  zero: () => null,
  isEmpty: () => false,
  decode(value, place) {
    if (typeof value === 'boolean') return value;
    if (isObject(value)) return jsonSchemaProps.decode(value, place.inside());
    throw new CrdDecodeError('boolean or JSON schema expected');
  },
};

/** Anything but a schema or a list decodes as absent: Go's decoder looks only at the first character. */
function schemaOr(name: string, listType: () => GoType): GoType {
  return {
    name,
    zero: () => null,
    isEmpty: (value) => value === null,
    decode(value: JsonValue, place: Place) {
      if (isObject(value)) return jsonSchemaProps.decode(value, place.inside());
      return Array.isArray(value) && value.length > 0 ? listType().decode(value, place.inside()) : null;
    },
  };
}

const schemaOrArray = schemaOr('v1.JSONSchemaPropsOrArray', () => list(jsonSchemaProps));
const schemaOrStringArray = schemaOr('v1.JSONSchemaPropsOrStringArray', () => list(string()));

const externalDocumentation = struct('ExternalDocumentation', () => ({
  description: omitEmpty(string()),
  url: omitEmpty(string()),
}));

const validationRule = struct('ValidationRule', () => ({
  rule: always(string()),
  message: omitEmpty(string()),
  messageExpression: omitEmpty(string()),
  reason: pointer(string('v1.FieldValueErrorReason')),
  fieldPath: omitEmpty(string()),
  optionalOldSelf: pointer(bool),
  featureGate: omitEmpty(string()),
}));

/** Enum values that apply only while a gate is on. */
const enumFeatureGate = struct('EnumFeatureGate', () => ({
  featureGate: always(string()),
  values: always(list(json)),
}));

/**
 * A schema of a CustomResourceDefinition, with `x-kubernetes-property-names` of KEP-5667 and Ilk's own gates on rules
 * and values. Fields are in upstream's order.
 */
export const jsonSchemaProps: GoType = struct(
  'JSONSchemaProps',
  (): Readonly<Record<string, GoField>> => ({
    id: omitEmpty(string()),
    $schema: omitEmpty(string('v1.JSONSchemaURL')),
    $ref: pointer(string()),
    description: omitEmpty(string()),
    type: omitEmpty(string()),
    format: omitEmpty(string()),
    title: omitEmpty(string()),
    default: pointer(json),
    maximum: pointer(float64),
    exclusiveMaximum: omitEmpty(bool),
    minimum: pointer(float64),
    exclusiveMinimum: omitEmpty(bool),
    maxLength: pointer(int64),
    minLength: pointer(int64),
    pattern: omitEmpty(string()),
    maxItems: pointer(int64),
    minItems: pointer(int64),
    uniqueItems: omitEmpty(bool),
    multipleOf: pointer(float64),
    enum: omitEmpty(list(json)),
    maxProperties: pointer(int64),
    minProperties: pointer(int64),
    required: omitEmpty(list(string())),
    items: omitEmpty(schemaOrArray),
    allOf: omitEmpty(list(jsonSchemaProps)),
    oneOf: omitEmpty(list(jsonSchemaProps)),
    anyOf: omitEmpty(list(jsonSchemaProps)),
    not: pointer(jsonSchemaProps),
    properties: omitEmpty(map(jsonSchemaProps)),
    additionalProperties: pointer(schemaOrBool),
    patternProperties: omitEmpty(map(jsonSchemaProps)),
    dependencies: omitEmpty(map(schemaOrStringArray, 'v1.JSONSchemaDependencies')),
    additionalItems: pointer(schemaOrBool),
    definitions: omitEmpty(map(jsonSchemaProps, 'v1.JSONSchemaDefinitions')),
    externalDocs: pointer(externalDocumentation),
    example: pointer(json),
    nullable: omitEmpty(bool),
    'x-kubernetes-preserve-unknown-fields': pointer(bool),
    'x-kubernetes-embedded-resource': omitEmpty(bool),
    'x-kubernetes-int-or-string': omitEmpty(bool),
    'x-kubernetes-list-map-keys': omitEmpty(list(string())),
    'x-kubernetes-list-type': pointer(string()),
    'x-kubernetes-map-type': pointer(string()),
    'x-kubernetes-validations': omitEmpty(list(validationRule, 'v1.ValidationRules')),
    'x-kubernetes-property-names': pointer(jsonSchemaProps),
    'x-kubernetes-enum-feature-gates': omitEmpty(list(enumFeatureGate)),
  }),
);
