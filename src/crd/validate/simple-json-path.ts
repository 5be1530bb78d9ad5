import { type FieldError, type FieldPath, invalid } from '../../meta/index.ts';

/** What `jsonPath` of a column and the paths of `/scale` are checked for, which is next to nothing. */
export function simpleJsonPathErrors(path: FieldPath, jsonPath: string): FieldError[] {
  if (jsonPath === '') return [invalid(path, jsonPath, 'must not be empty')];
  return jsonPath.startsWith('.')
    ? []
    : [invalid(path, jsonPath, 'must be a simple json path starting with .')];
}
