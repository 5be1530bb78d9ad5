import {
  type FeatureGates,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from '../../meta/index.ts';
import { SchemaNode } from '../schema-node.ts';
import { explain } from '../validate/explain.ts';
import { Findings } from '../validate/findings.ts';
import { patternErrors } from './pattern-rule.ts';
import { isGiven, isSet, type SchemaDocument, schemaOf, schemasOf, textOf } from './schema-document.ts';

export const propertyNamesKeyword = 'x-kubernetes-property-names';

const nestedKeywords: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'enum',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
]);
const keywords: ReadonlySet<string> = new Set([
  ...nestedKeywords,
  'type',
  'title',
  'description',
  'externalDocs',
  'example',
  'default',
  'x-kubernetes-validations',
]);

/**
 * Validates the schema of a map's keys (KEP-5667): it requires `additionalProperties`, must have type string, and may
 * only use string keywords.
 */
export function propertyNamesErrors(
  schema: SchemaDocument,
  path: FieldPath,
  gates: FeatureGates,
): FieldError[] {
  if (!gates.CRDPropertyNameSchemas || !isGiven(schema[propertyNamesKeyword])) return [];
  const at = path.child(propertyNamesKeyword);
  const names = schemaOf(schema, propertyNamesKeyword);
  if (names === undefined) return [invalid(at, schema[propertyNamesKeyword], 'must be a schema')];
  const errors: FieldError[] = [];
  if (schemaOf(schema, 'additionalProperties') === undefined) {
    errors.push(forbidden(at, 'may only be used together with a schema in additionalProperties'));
  }
  const type = textOf(names, 'type');
  const typeText = 'must be string, because the keys of a map are strings';
  if (type === '') errors.push(required(at.child('type'), typeText));
  else if (type !== 'string') errors.push(invalid(at.child('type'), type, typeText));
  errors.push(...keywordErrors(names, at, keywords), ...patternErrors(names, at), ...branchErrors(names, at));
  return errors.length > 0 ? errors : keyDefaultErrors(names, at, gates);
}

function keywordErrors(schema: SchemaDocument, at: FieldPath, allowed: ReadonlySet<string>): FieldError[] {
  const used = Object.keys(schema).filter((keyword) => isSet(schema[keyword]) && !allowed.has(keyword));
  return used.map((keyword) =>
    forbidden(at.child(keyword), 'must not be used to validate the keys of a map'),
  );
}

/** Branches may only use validation keywords: the type is known, and a default would be ambiguous. */
function branchErrors(schema: SchemaDocument, at: FieldPath): FieldError[] {
  const inBranch = (branch: SchemaDocument, path: FieldPath) => [
    ...keywordErrors(branch, path, nestedKeywords),
    ...patternErrors(branch, path),
    ...branchErrors(branch, path),
  ];
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    schemasOf(schema, keyword).flatMap((branch, index) => inBranch(branch, at.child(keyword).index(index))),
  );
  const not = schemaOf(schema, 'not');
  return not === undefined ? lists : [...lists, ...inBranch(not, at.child('not'))];
}

/** A default key must be valid by the schema of keys. */
function keyDefaultErrors(names: SchemaDocument, at: FieldPath, gates: FeatureGates): FieldError[] {
  const value = names['default'];
  if (value === undefined || value === null) return [];
  const findings = new Findings();
  explain({ node: new SchemaNode(names, gates), value, path: '' }, findings);
  return findings.toFieldErrors(at.child('default').toString());
}
