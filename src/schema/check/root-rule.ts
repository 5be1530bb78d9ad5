import { type FieldError, type FieldPath, invalid } from '../../meta/index.ts';
import { isGiven, isSet, type SchemaDocument } from './schema-document.ts';

/** Go names of the keywords that can be dropped from the root without changing the schema of `.status`. */
const allowed =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern ' +
  'MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields ' +
  'XValidations';

const beforeType = ['id', '$schema', '$ref'];
const afterType = [
  'nullable',
  'default',
  'enum',
  'maxProperties',
  'minProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-property-names',
];
/** Keywords that count with any value, including false. */
const pointers = new Set(['$ref', 'default', 'additionalProperties', 'additionalItems']);

/**
 * With the status subresource, the root is limited to few keywords: `/status` validates only by the schema of
 * `.status`.
 */
export function rootErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const isUsed = (keyword: string) => (pointers.has(keyword) ? isGiven : isSet)(schema[keyword]);
  const wrongType = isSet(schema['type']) && schema['type'] !== 'object';
  if (wrongType && !beforeType.some(isUsed)) {
    const text =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(path.child('type'), schema['type'], text)];
  }
  if (![...beforeType, ...afterType].some(isUsed)) return [];
  const text = `only [${allowed}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, schema, text)];
}
