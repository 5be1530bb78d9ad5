import { type FieldError, type FieldPath, invalid } from '../../meta/index.ts';
import { Pattern } from '../pattern.ts';
import { type SchemaDocument, textOf } from './schema-document.ts';

/** A pattern must be an RE2 regular expression, as in Go. */
export function patternErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const source = textOf(schema, 'pattern');
  const error = source === '' ? undefined : new Pattern(source).error;
  if (error === undefined) return [];
  return [invalid(path.child('pattern'), source, `must be a valid regular expression, but isn't: ${error}`)];
}
