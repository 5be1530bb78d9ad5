import {
  duplicate,
  equal,
  type FieldError,
  type FieldPath,
  invalid,
  type JsonObject,
  required,
  tooMany,
} from '../../meta/index.ts';
import { objectsOf, textOf } from '../spec-view.ts';
import type { CrdCheck } from './crd-check.ts';
import type { HoistedVersion } from './hoisted-spec.ts';
import { followPath, typeOf } from './schema-path.ts';

const types = new Set(['string', 'boolean', 'integer']);
const wrongType =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

/** The selectable fields of a single version. */
export function versionSelectableFieldErrors(version: HoistedVersion, check: CrdCheck): FieldError[] {
  const path = version.path.child('selectableFields');
  if (version.selectableFields.length === 0) return [];
  if (version.openAPIV3Schema === undefined) {
    // The message says the opposite of what it means; it is upstream's.
    return [invalid(path, '', 'may only be set when `version.schema.openAPIV3Schema` is not included')];
  }
  return fieldErrors(version.selectableFields, version.openAPIV3Schema, {
    path,
    ...rulesFor(version, check),
  });
}

/**
 * The selectable fields that all versions share. Upstream refuses them if the schemas of the versions differ, because
 * it looks for a shared schema; Ilk looks them up in the schema of each version.
 */
export function sharedSelectableFieldErrors(check: CrdCheck): FieldError[] {
  const { top, versions } = check.spec;
  const path = top.path.child('selectableFields');
  if (top.selectableFields.length === 0) return [];
  const errors = new Map<string, FieldError>();
  for (const version of versions) {
    const found =
      version.openAPIV3Schema === undefined
        ? [invalid(path, '', 'may only be set when validations.schema is included')]
        : fieldErrors(top.selectableFields, version.openAPIV3Schema, {
            path,
            ...rulesFor(version, check),
          });
    for (const error of found) errors.set(`${error.field} ${error.detail}`, error);
  }
  return [...errors.values()];
}

interface FieldRules {
  /** The maximum number of selectable fields. */
  readonly fieldsMax: number;
  /** Whether paths may go through lists. */
  readonly lists: boolean;
}

/** A stored CRD may have more or other fields than are allowed now, until an update changes them. */
function rulesFor({ name, raw }: HoistedVersion, { oldSpec, selectors }: CrdCheck): FieldRules {
  const { selectableFieldsMax: fieldsMax, selectableArrayPaths: lists } = selectors;
  const old = oldSpec?.versionNamed.get(name);
  if (old === undefined) return { fieldsMax, lists };
  const oldFields = objectsOf(old.raw, 'selectableFields');
  const unchanged = equal(oldFields, objectsOf(raw, 'selectableFields'));
  return { fieldsMax: unchanged ? Number.POSITIVE_INFINITY : fieldsMax, lists: lists || unchanged };
}

function fieldErrors(
  fields: readonly JsonObject[],
  schema: JsonObject,
  { path, fieldsMax, lists }: FieldRules & { readonly path: FieldPath },
): FieldError[] {
  const known = new Set<string>();
  const errors = fields.flatMap((field, index) =>
    oneFieldErrors(textOf(field, 'jsonPath'), schema, {
      path: path.index(index).child('jsonPath'),
      known,
      lists,
    }),
  );
  if (known.size > fieldsMax) errors.push(tooMany(path, known.size, fieldsMax));
  return errors;
}

function oneFieldErrors(
  jsonPath: string,
  schema: JsonObject,
  { path, known, lists }: { readonly path: FieldPath; readonly known: Set<string>; readonly lists: boolean },
): FieldError[] {
  if (jsonPath === '') return [required(path)];
  const found = followPath(jsonPath, schema, { lists });
  if (typeof found === 'string') return [invalid(path, jsonPath, `is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (found.steps[0] === 'metadata') {
    errors.push(invalid(path, jsonPath, 'must not point to fields in metadata'));
  }
  if (!types.has(typeOf(found))) errors.push(invalid(path, jsonPath, wrongType));
  const key = found.steps.join('.');
  if (known.has(key)) errors.push(duplicate(path, jsonPath));
  known.add(key);
  return errors;
}
