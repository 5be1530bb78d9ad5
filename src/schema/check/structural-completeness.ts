import { type FieldError, type FieldPath, required } from '../../meta/index.ts';
import { namedSchemasOf, propertyOf, type SchemaDocument, schemaOf, schemasOf } from './schema-document.ts';

/** A schema in a branch and the corresponding schema of the structure. */
interface Pair {
  readonly branch: SchemaDocument;
  readonly branchPath: FieldPath;
  /** Undefined if the structure has no such part. */
  readonly spine: SchemaDocument | undefined;
  readonly spinePath: FieldPath;
}

/** Every field in a branch must also be declared outside of branches. */
export function completenessErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  return innerErrors({ branch: schema, branchPath: path, spine: schema, spinePath: path });
}

/** The errors of nested branches; the root counts as one, without its own fields. */
function innerErrors(pair: Pair): FieldError[] {
  const { branch, branchPath } = pair;
  const not = schemaOf(branch, 'not');
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    schemasOf(branch, keyword).flatMap((inner, index) =>
      branchErrors({ ...pair, branch: inner, branchPath: branchPath.child(keyword).index(index) }),
    ),
  );
  if (not === undefined) return lists;
  return [...branchErrors({ ...pair, branch: not, branchPath: branchPath.child('not') }), ...lists];
}

function branchErrors(pair: Pair): FieldError[] {
  const { branch, branchPath, spine, spinePath } = pair;
  if (spine === undefined) return [required(spinePath, `because it is defined in ${branchPath}`)];
  const errors = innerErrors(pair);
  const items = schemaOf(branch, 'items');
  if (items !== undefined) {
    errors.push(
      ...branchErrors({
        branch: items,
        branchPath: branchPath.child('items'),
        spine: schemaOf(spine, 'items'),
        spinePath: spinePath.child('items'),
      }),
    );
  }
  for (const [name, property] of namedSchemasOf(branch, 'properties')) {
    errors.push(
      ...branchErrors({
        branch: property,
        branchPath: branchPath.child('properties').key(name),
        spine: propertyOf(spine, name),
        spinePath: spinePath.child('properties').key(name),
      }),
    );
  }
  return errors;
}
