import { type FieldError, type FieldPath, forbidden, type JsonValue } from '../../meta/index.ts';
import { patternErrors } from './pattern-rule.ts';
import {
  isGiven,
  isSet,
  namedSchemasOf,
  type SchemaDocument,
  schemaOf,
  schemasOf,
} from './schema-document.ts';

/** Keywords that are only allowed in the structure, with the required value in the error. */
const forbiddenInBranch: readonly {
  readonly keyword: string;
  readonly word: 'empty' | 'undefined' | 'false';
  readonly isUsed: (value: JsonValue | undefined) => boolean;
}[] = [
  { keyword: 'type', word: 'empty', isUsed: isSet },
  {
    keyword: 'additionalProperties',
    word: 'undefined',
    isUsed: (value) => isGiven(value) && value !== false,
  },
  { keyword: 'default', word: 'undefined', isUsed: isGiven },
  { keyword: 'title', word: 'empty', isUsed: isSet },
  { keyword: 'description', word: 'empty', isUsed: isSet },
  { keyword: 'nullable', word: 'false', isUsed: isSet },
  { keyword: 'x-kubernetes-preserve-unknown-fields', word: 'false', isUsed: isSet },
  { keyword: 'x-kubernetes-embedded-resource', word: 'false', isUsed: isSet },
  { keyword: 'x-kubernetes-int-or-string', word: 'false', isUsed: isSet },
  { keyword: 'x-kubernetes-list-map-keys', word: 'empty', isUsed: isSet },
  { keyword: 'x-kubernetes-list-type', word: 'undefined', isUsed: isGiven },
  { keyword: 'x-kubernetes-map-type', word: 'undefined', isUsed: isGiven },
  { keyword: 'x-kubernetes-validations', word: 'empty', isUsed: isSet },
  { keyword: 'x-kubernetes-property-names', word: 'undefined', isUsed: isGiven },
];

/** True if a schema has only a type. */
export function isTypeOnly(schema: SchemaDocument, type: string): boolean {
  return schema['type'] === type && Object.keys(schema).every((key) => key === 'type' || !isSet(schema[key]));
}

/** Branches that are not checked: the spellings of int-or-string. */
interface SkippedBranches {
  readonly skipped: readonly string[];
  readonly skippedInFirstAllOf: readonly string[];
}

/** Validates the branches of a schema, recursively. */
export function branchErrors(
  schema: SchemaDocument,
  path: FieldPath,
  { skipped, skippedInFirstAllOf }: SkippedBranches = { skipped: [], skippedInFirstAllOf: [] },
): FieldError[] {
  const errors = ['anyOf', 'allOf', 'oneOf']
    .filter((keyword) => !skipped.includes(keyword))
    .flatMap((keyword) =>
      schemasOf(schema, keyword).flatMap((branch, index) => {
        const inner = keyword === 'allOf' && index === 0 ? skippedInFirstAllOf : [];
        return branchNodeErrors(branch, path.child(keyword).index(index), inner);
      }),
    );
  const not = schemaOf(schema, 'not');
  return not === undefined ? errors : [...errors, ...branchNodeErrors(not, path.child('not'), [])];
}

/** Validates a schema inside of a branch: the branch itself or one of its fields. */
function branchNodeErrors(branch: SchemaDocument, path: FieldPath, skipped: readonly string[]): FieldError[] {
  const errors = [
    ...branchErrors(branch, path, { skipped, skippedInFirstAllOf: [] }),
    ...patternErrors(branch, path),
  ];
  const items = schemaOf(branch, 'items');
  if (items !== undefined) errors.push(...branchNodeErrors(items, path.child('items'), []));
  for (const [name, property] of namedSchemasOf(branch, 'properties')) {
    const at = path.child('properties').key(name);
    errors.push(...branchNodeErrors(property, at, []));
    if (name === 'metadata') errors.push(forbidden(at, 'must not be specified in a nested context'));
  }
  for (const { keyword, word, isUsed } of forbiddenInBranch) {
    if (isUsed(branch[keyword]))
      errors.push(forbidden(path.child(keyword), `must be ${word} to be structural`));
  }
  return errors;
}
