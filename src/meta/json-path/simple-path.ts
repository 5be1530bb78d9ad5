import { goPrint, goTypeName } from '../go/go-text.ts';
import { isObject, type JsonObject, type JsonValue, own, put } from '../value/value.ts';
import { JsonPathError } from './json-path-error.ts';

/** A path that consists of keys, such as `specReplicasPath`. */
interface SimplePath {
  /** `['spec', 'replicas']` */
  readonly keys: readonly string[];
  /**
   * The value at the path; undefined if a key is missing.
   *
   * @throws {JsonPathError} if a value on the path is not an object.
   */
  getAt(object: JsonObject): JsonValue | undefined;
  /**
   * Sets the value; creates missing objects on the path.
   *
   * @throws {JsonPathError} if a value on the path is not an object.
   */
  setAt(object: JsonObject, value: JsonValue): void;
}

/**
 * A path split at its dots: `.spec.replicas`. Brackets, quotes and backslashes are part of the keys. Source:
 * k8s.io/apimachinery/pkg/apis/meta/v1/unstructured NestedFieldNoCopy, SetNestedField.
 */
export function simplePath(path: string): SimplePath {
  const keys = Object.freeze((path.startsWith('.') ? path.slice(1) : path).split('.'));
  return Object.freeze({
    keys,
    getAt: (object: JsonObject) => getAt(object, keys),
    setAt: (object: JsonObject, value: JsonValue) => setAt(object, keys, value),
  });
}

function getAt(object: JsonObject, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of keys) {
    // A null on the path counts as missing.
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) {
      const what = `${goPrint(value)} is of the type ${goTypeName(value)}`;
      throw new JsonPathError(`.${keys.join('.')} accessor error: ${what}, expected map[string]interface{}`);
    }
    value = own(value, key);
  }
  return value;
}

function setAt(object: JsonObject, keys: readonly string[], value: JsonValue): void {
  let at = object;
  keys.slice(0, -1).forEach((key, index) => {
    const next = own(at, key);
    if (next !== undefined && !isObject(next)) {
      const where = `.${keys.slice(0, index + 1).join('.')}`;
      throw new JsonPathError(`value cannot be set because ${where} is not a map[string]interface{}`);
    }
    const child: JsonObject = next ?? {};
    if (next === undefined) put(at, key, child);
    at = child;
  });
  put(at, keys.at(-1) ?? '', value);
}
