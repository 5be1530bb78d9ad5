import { type FieldError, type FieldPath, invalid } from '../../meta/index.ts';

/** The upstream check of a column's `jsonPath` and of the paths of `/scale`, which accepts nearly everything. */
export function simpleJsonPathErrors(path: FieldPath, jsonPath: string): FieldError[] {
  if (jsonPath === '') return [invalid(path, jsonPath, 'must not be empty')];
  return jsonPath.startsWith('.')
    ? []
    : [invalid(path, jsonPath, 'must be a simple json path starting with .')];
}
