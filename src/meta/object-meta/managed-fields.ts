import { type FieldError, invalid, notSupported, required, tooLong } from '../refusal/field-error.ts';
import { fieldManagerErrors } from './field-manager.ts';
import type { FieldPath } from '../refusal/field-path.ts';
import { isObject, type JsonObject, type JsonValue, ownString } from '../value/value.ts';

const subresourceBytesMax = 256;

/** The errors of the entries of `metadata.managedFields`, except those of the field sets. */
export function managedFieldsErrors(path: FieldPath, entries: readonly JsonValue[]): FieldError[] {
  return entries.flatMap((entry, index) => (isObject(entry) ? entryErrors(path.index(index), entry) : []));
}

function entryErrors(path: FieldPath, entry: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const operation = ownString(entry, 'operation') ?? '';
  const fieldsType = ownString(entry, 'fieldsType') ?? '';
  if (operation === '') {
    errors.push(required(path.child('operation'), 'must not be empty'));
  } else if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(notSupported(path.child('operation'), operation, ['Apply', 'Update']));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalid(path.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...fieldManagerErrors(path.child('manager'), ownString(entry, 'manager') ?? ''));
  if (Buffer.byteLength(ownString(entry, 'subresource') ?? '') > subresourceBytesMax) {
    errors.push(tooLong(path.child('subresource'), subresourceBytesMax));
  }
  return errors;
}
