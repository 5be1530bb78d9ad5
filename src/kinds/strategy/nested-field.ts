import {
  goPrint,
  goTypeName,
  isObject,
  type JsonValue,
  type KubeObject,
  own,
  put,
} from '../../meta/index.ts';

/** A value that is not what its path promises; the text is upstream's. */
export class NestedFieldError extends Error {
  override readonly name = 'NestedFieldError';
}

/** The field names of a path such as `.spec.replicas`. Dots separate; other characters have no meaning. */
export function fieldsOfPath(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

/**
 * The value under field names; undefined where it is not there. Source: apimachinery, NestedFieldNoCopy.
 *
 * @throws {NestedFieldError} where something on the way is no map
 */
function nestedValue(object: KubeObject, fields: readonly string[]): JsonValue | undefined {
  let value: JsonValue = object;
  for (const [index, field] of fields.entries()) {
    if (value === null) return undefined;
    if (!isObject(value)) throw accessorError(fields.slice(0, index + 1), value, 'map[string]interface{}');
    const next = own(value, field);
    if (next === undefined) return undefined;
    value = next;
  }
  return value;
}

/** @throws {NestedFieldError} for anything but an integer */
export function nestedInt64(object: KubeObject, path: string): number | bigint | undefined {
  const fields = fieldsOfPath(path);
  const value = nestedValue(object, fields);
  if (value === undefined || typeof value === 'bigint' || Number.isSafeInteger(value)) {
    // Not a string, list or map: Number.isSafeInteger holds for numbers alone, which the compiler does not know.
    return value as number | bigint | undefined;
  }
  throw accessorError(fields, value, 'int64');
}

/** @throws {NestedFieldError} for anything but a string */
export function nestedString(object: KubeObject, path: string): string | undefined {
  const fields = fieldsOfPath(path);
  const value = nestedValue(object, fields);
  if (value === undefined || typeof value === 'string') return value;
  throw accessorError(fields, value, 'string');
}

/**
 * Sets a value and makes the maps on the way. The object is changed, the maps in it are copied first: others may have
 * them too.
 *
 * @throws {NestedFieldError} where one of the maps is none
 */
export function setNested(object: KubeObject, path: string, value: JsonValue): void {
  const fields = fieldsOfPath(path);
  const last = fields.at(-1) ?? '';
  let map: KubeObject = object;
  for (const [index, field] of fields.slice(0, -1).entries()) {
    const next = own(map, field);
    if (next !== undefined && !isObject(next)) {
      const where = pathOf(fields.slice(0, index + 1));
      throw new NestedFieldError(`value cannot be set because ${where} is not a map[string]interface{}`);
    }
    const inside: KubeObject = { ...next };
    put(map, field, inside);
    map = inside;
  }
  put(map, last, value);
}

function accessorError(fields: readonly string[], value: JsonValue, expected: string): NestedFieldError {
  const type = goTypeName(value);
  return new NestedFieldError(
    `${pathOf(fields)} accessor error: ${goPrint(value)} is of the type ${type}, expected ${expected}`,
  );
}

function pathOf(fields: readonly string[]): string {
  return `.${fields.join('.')}`;
}
