import { type FieldError, type FieldPath, invalid, type JsonObject, required } from '../../meta/index.ts';
import { textOf } from '../spec-view.ts';
import type { VersionParts } from './hoisted-spec.ts';
import { simpleJsonPathErrors } from './simple-json-path.ts';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** The printer columns. */
export function columnErrors({ columns, path }: VersionParts): FieldError[] {
  const base = path.child('additionalPrinterColumns');
  return columns.flatMap((column, index) => oneColumnErrors(column, base.index(index)));
}

function oneColumnErrors(column: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const [type, format, jsonPath] = [
    textOf(column, 'type'),
    textOf(column, 'format'),
    textOf(column, 'jsonPath'),
  ];
  if (textOf(column, 'name') === '') errors.push(required(path.child('name')));
  const oneOfTypes = `must be one of ${types.join(',')}`;
  if (type === '') errors.push(required(path.child('type'), oneOfTypes));
  else if (!types.includes(type)) errors.push(invalid(path.child('type'), type, oneOfTypes));
  if (format !== '' && !formats.includes(format)) {
    errors.push(invalid(path.child('format'), format, `must be one of ${formats.join(',')}`));
  }
  // Upstream names the Go field here, capitalized.
  if (jsonPath === '') errors.push(required(path.child('JSONPath')));
  else errors.push(...simpleJsonPathErrors(path.child('JSONPath'), jsonPath));
  return errors;
}
