import {
  compareBytes,
  type FieldError,
  type FieldPath,
  fieldErrorText,
  forbidden,
  invalid,
  required,
} from '../../meta/index.ts';
import { branchErrors, isTypeOnly } from './structural-branches.ts';
import { completenessErrors } from './structural-completeness.ts';
import { patternErrors } from './pattern-rule.ts';
import {
  isGiven,
  isSet,
  namedSchemasOf,
  propertyOf,
  type SchemaDocument,
  schemaOf,
  schemasOf,
  textOf,
} from './schema-document.ts';

type Level = 'root' | 'item' | 'field';

const typeTexts: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};
const embeddedKeyword = 'x-kubernetes-embedded-resource';
const intOrStringKeyword = 'x-kubernetes-int-or-string';
const preserveKeyword = 'x-kubernetes-preserve-unknown-fields';

/**
 * The errors that make a schema non-structural, sorted by text. The schema must be convertible, see
 * `conversionProblem`.
 *
 * Source: ValidateStructural of k8s.io/apiextensions-apiserver, and
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export function structuralErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  addNodeErrors(errors, { schema, level: 'root', path });
  return [...errors, ...completenessErrors(schema, path)]
    .map((error) => ({ error, text: fieldErrorText(error) }))
    .sort((a, b) => compareBytes(a.text, b.text))
    .map(({ error }) => error);
}

/** A schema and its location. */
interface StructureNode {
  readonly schema: SchemaDocument;
  readonly level: Level;
  readonly path: FieldPath;
}

/**
 * Appends the errors of a schema and its descendants to one list, because most of thousands of schemas have none.
 */
function addNodeErrors(errors: FieldError[], node: StructureNode): void {
  addChildErrors(errors, node);
  const found = ownStructureErrors(node);
  if (found.length > 0) errors.push(...found);
}

/** Validates a schema itself and its branches, without the schemas of its properties and items. */
export function ownStructureErrors({ schema, level, path }: StructureNode): FieldError[] {
  return [
    ...extensionErrors(schema, path),
    ...branchesOfNodeErrors(schema, path),
    ...patternErrors(schema, path),
    ...typeErrors(schema, level, path),
    ...embeddedErrors(schema, path),
    ...metadataErrors(schema, level, path),
  ];
}

function addChildErrors(errors: FieldError[], { schema, level, path }: StructureNode): void {
  const items = schemaOf(schema, 'items');
  if (items !== undefined) addNodeErrors(errors, { schema: items, level: 'item', path: path.child('items') });
  else if (schema['type'] === 'array') errors.push(required(path.child('items'), 'must be specified'));
  for (const [name, property] of namedSchemasOf(schema, 'properties')) {
    const at = path.child('properties').key(name);
    addNodeErrors(errors, { schema: property, level: 'field', path: at });
  }
  const additional = schema['additionalProperties'];
  if (isGiven(additional) && level === 'root') {
    errors.push(forbidden(path.child('additionalProperties'), 'must not be used at the root'));
  }
  const values = schemaOf(schema, 'additionalProperties');
  if (values === undefined) return;
  addNodeErrors(errors, { schema: values, level: 'field', path: path.child('additionalProperties') });
}

function extensionErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  if (schema[intOrStringKeyword] !== true) return [];
  return [preserveKeyword, embeddedKeyword]
    .filter((keyword) => schema[keyword] === true)
    .map((keyword) =>
      invalid(path.child(keyword), true, 'must be false if x-kubernetes-int-or-string is true'),
    );
}

/** `anyOf: [{type: integer}, {type: string}]` is the only place where branches may have types. */
function isIntOrString(branches: readonly SchemaDocument[]): boolean {
  const [first, second] = branches;
  if (branches.length !== 2 || first === undefined || second === undefined) return false;
  return isTypeOnly(first, 'integer') && isTypeOnly(second, 'string');
}

const branchKeywords = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

function branchesOfNodeErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  if (branchKeywords.every((keyword) => schema[keyword] === undefined)) return [];
  const skipped = isIntOrString(schemasOf(schema, 'anyOf')) ? ['anyOf'] : [];
  const [firstAllOf] = schemasOf(schema, 'allOf');
  const inFirst = firstAllOf !== undefined && isIntOrString(schemasOf(firstAllOf, 'anyOf')) ? ['anyOf'] : [];
  return branchErrors(schema, path, { skipped, skippedInFirstAllOf: inFirst });
}

function typeErrors(schema: SchemaDocument, level: Level, path: FieldPath): FieldError[] {
  const type = textOf(schema, 'type');
  const at = path.child('type');
  const errors: FieldError[] = [];
  if (schema[embeddedKeyword] === true && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(at, text) : invalid(at, type, text));
  } else if (type === '' && schema[intOrStringKeyword] !== true && schema[preserveKeyword] !== true) {
    errors.push(required(at, typeTexts[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(at, type, 'must be object at the root'));
  }
  return errors;
}

function embeddedErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  if (schema[embeddedKeyword] !== true) return [];
  const errors: FieldError[] = [];
  if (isGiven(schema['additionalProperties'])) {
    const text = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(path.child('additionalProperties'), text));
  }
  if (schema[preserveKeyword] !== true && !isSet(schema['properties'])) {
    const text =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(path.child('properties'), text));
  }
  return errors;
}

/** A schema can only restrict few aspects of Kubernetes' own fields. */
function metadataErrors(schema: SchemaDocument, level: Level, path: FieldPath): FieldError[] {
  if (level !== 'root' && schema[embeddedKeyword] !== true) return [];
  const errors: FieldError[] = [];
  const expected = { kind: 'string', apiVersion: 'string', metadata: 'object' };
  for (const [name, type] of Object.entries(expected)) {
    const property = propertyOf(schema, name);
    if (property === undefined || property['type'] === type) continue;
    const at = path.child('properties').key(name).child('type');
    errors.push(invalid(at, textOf(property, 'type'), `must be ${type}`));
  }
  const metadata = propertyOf(schema, 'metadata');
  if (level === 'root' && metadata !== undefined && !restrictsNameOnly(metadata)) {
    const text =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbidden(path.child('properties').key('metadata'), text));
  }
  return errors;
}

function restrictsNameOnly(metadata: SchemaDocument): boolean {
  const ignored = new Set(['type', 'default', 'properties']);
  if (Object.keys(metadata).some((keyword) => isSet(metadata[keyword]) && !ignored.has(keyword)))
    return false;
  return namedSchemasOf(metadata, 'properties').every(([name]) => name === 'name' || name === 'generateName');
}
