import type { JsonObject } from '../../../meta/index.ts';
import { flag, int64, list, map, mapList, model, number, plainText, ref, text } from './notation.ts';

const home = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';

/** The model name of schemas in CRDs. */
export const schemaModel = `${home}JSONSchemaProps`;

const schema = (description: string) => ref(schemaModel, description);
const schemas = (description: string) => list(ref(schemaModel), description);
const schemaMap = (description: string) => map(ref(schemaModel), description);

const numbers: JsonObject = {
  maximum: number('The largest number that is allowed.'),
  exclusiveMaximum: flag('The maximum itself is not allowed.'),
  minimum: number('The smallest number that is allowed.'),
  exclusiveMinimum: flag('The minimum itself is not allowed.'),
  multipleOf: number('The number must be an integer multiple of this one.'),
};

const strings: JsonObject = {
  format: text(
    'The format of a string, such as date-time, uuid or ipv4, or the size of a number, such as int32. Unknown formats are ignored.',
  ),
  maxLength: int64('The maximum length of a string in characters.'),
  minLength: int64('The minimum length of a string in characters.'),
  pattern: text('A regular expression in RE2 syntax that must match somewhere in the string.'),
};

const collections: JsonObject = {
  items: ref(`${home}JSONSchemaPropsOrArray`, 'The schema of the items of a list.'),
  maxItems: int64('The maximum number of items of a list.'),
  minItems: int64('The minimum number of items of a list.'),
  uniqueItems: flag('May not be true: use x-kubernetes-list-type: set.'),
  properties: schemaMap('The fields of an object, by name. Other fields are dropped.'),
  additionalProperties: ref(
    `${home}JSONSchemaPropsOrBool`,
    'The schema of the values of a map. Mutually exclusive with properties.',
  ),
  maxProperties: int64('The maximum number of entries of an object or map.'),
  minProperties: int64('The minimum number of entries of an object or map.'),
  required: list(plainText, 'The required fields.'),
};

const combinations: JsonObject = {
  allOf: schemas('All of these must match. They may only restrict fields declared outside of them.'),
  anyOf: schemas('At least one of these must match.'),
  oneOf: schemas('Exactly one of these must match.'),
  not: schema('This must not match.'),
};

const documentation: JsonObject = {
  description: text('The meaning of the value; kubectl explain shows it.'),
  title: text('A short name of the value.'),
  example: ref(`${home}JSON`, 'An example value.'),
  externalDocs: ref(`${home}ExternalDocumentation`, 'Further documentation.'),
};

/** JSON Schema keywords that CRDs refuse; the model lists them so that clients can report them. */
const unsupported: JsonObject = {
  $ref: text('Must not be set: references are not supported.'),
  $schema: text('May not be set.'),
  additionalItems: ref(`${home}JSONSchemaPropsOrBool`, 'May not be set.'),
  definitions: schemaMap('May not be set.'),
  dependencies: map(ref(`${home}JSONSchemaPropsOrStringArray`), 'May not be set.'),
  id: text('May not be set.'),
  patternProperties: schemaMap('May not be set.'),
};

const extensions: JsonObject = {
  'x-kubernetes-enum-feature-gates': list(
    ref(`${home}EnumFeatureGate`),
    'Values of enum that are only valid while a feature gate is on. An extension of this server.',
  ),
  'x-kubernetes-embedded-resource': flag(
    'The value is a whole Kubernetes object, with apiVersion, kind and metadata, which are validated.',
  ),
  'x-kubernetes-int-or-string': flag('The value is an integer or a string; type must be omitted.'),
  'x-kubernetes-list-map-keys': list(
    plainText,
    'For a list of type map: the fields that together identify an item.',
  ),
  'x-kubernetes-list-type': text(
    'How a list merges: atomic (as one value, the default), set (of unique scalars), or map (of objects identified by keys).',
  ),
  'x-kubernetes-map-type': text(
    'How an object merges: granular (each field has its own manager, the default), or atomic (as one value).',
  ),
  'x-kubernetes-preserve-unknown-fields': flag('Fields that the schema does not declare are kept.'),
  'x-kubernetes-property-names': schema(
    'The schema of the keys of a map, of type string. Requires additionalProperties.',
  ),
  'x-kubernetes-validations': list(
    ref(`${home}ValidationRule`),
    'CEL rules that the value must satisfy.',
    mapList('rule'),
  ),
};

const jsonSchemaProps = model('The subset of JSON Schema that CustomResourceDefinitions allow.', {
  type: text('object, array, string, integer, number or boolean.'),
  default: ref(`${home}JSON`, 'The value of the field if an object omits it.'),
  enum: list(ref(`${home}JSON`), 'The allowed values.'),
  nullable: flag('The value may be null.'),
  ...numbers,
  ...strings,
  ...collections,
  ...combinations,
  ...documentation,
  ...unsupported,
  ...extensions,
});

const validationRule = model(
  'A CEL condition for a value.',
  {
    fieldPath: text(
      'The field that a failure is reported at, relative to this schema: ".spec.x" or "[\'a.b\']"; the value itself where it is not given.',
    ),
    featureGate: text(
      'A gate of spec.customFeatureGates: the rule only applies while it is on. An extension of this server.',
    ),
    message: text('The message of a failure. Required if the rule has line breaks.'),
    messageExpression: text(
      'A CEL expression that gives the message of a failure; message is used where it fails or is empty.',
    ),
    optionalOldSelf: flag(
      'Evaluates a rule with oldSelf on create too; oldSelf is then an optional value, empty where there was none.',
    ),
    reason: text(
      'The reason of a failure: FieldValueInvalid (the default), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.',
    ),
    rule: text(
      'A CEL expression that must be true. self is the value here, oldSelf the one before an update; a rule that names oldSelf applies to updates only.',
    ),
  },
  { required: ['rule'] },
);

const anything = (description: string): JsonObject => ({ description });

/** The models of schemas in CRDs. */
export const jsonSchemaModels: JsonObject = {
  [schemaModel]: jsonSchemaProps,
  [`${home}ValidationRule`]: validationRule,
  [`${home}EnumFeatureGate`]: model(
    'Values that count only while a gate is on.',
    {
      featureGate: text('A gate of spec.customFeatureGates.'),
      values: list(ref(`${home}JSON`), 'Values of enum, each under one gate only.'),
    },
    { required: ['featureGate', 'values'] },
  ),
  [`${home}ExternalDocumentation`]: model('A place to read more.', {
    description: text('What is to be read there.'),
    url: text('Where it is.'),
  }),
  [`${home}JSON`]: anything('Any JSON value.'),
  [`${home}JSONSchemaPropsOrArray`]: anything('A schema; lists of schemas are refused in CRDs.'),
  [`${home}JSONSchemaPropsOrBool`]: anything('A schema, or true or false for any value or none.'),
  [`${home}JSONSchemaPropsOrStringArray`]: anything('A schema or a list of names.'),
};
