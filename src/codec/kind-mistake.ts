import { goJsonKind, isObject, type JsonValue, own } from '../meta/index.ts';

/**
 * The error of Go's decoder for a document whose kind or version has the wrong type; a null counts as absent.
 * Undefined if both are valid.
 */
export function kindMistake(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) {
    const fields =
      'APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\""';
    return `cannot unmarshal ${goJsonKind(value)} into Go value of type struct { ${fields} }`;
  }
  for (const field of ['apiVersion', 'kind']) {
    const found = own(value, field) ?? null;
    if (found === null || typeof found === 'string') continue;
    return `cannot unmarshal ${goJsonKind(found)} into Go struct field .${field} of type string`;
  }
  return undefined;
}
