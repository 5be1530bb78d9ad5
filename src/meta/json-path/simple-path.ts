import { goPrint, goTypeName } from '../go/go-text.ts';
import { isObject, type JsonObject, type JsonValue, own, put } from '../value/value.ts';
import { JsonPathError } from './json-path-error.ts';

/** A path of keys and nothing else: what `specReplicasPath` and its like are. */
interface SimplePath {
  /** `['spec', 'replicas']` */
  readonly keys: readonly string[];
  /**
   * The value there, undefined where a key is missing.
   *
   * @throws {JsonPathError} where something on the way is no object.
   */
  getAt(object: JsonObject): JsonValue | undefined;
  /**
   * Sets the value; objects that are missing on the way are made.
   *
   * @throws {JsonPathError} where something on the way is no object.
   */
  setAt(object: JsonObject, value: JsonValue): void;
}

/**
 * A path split at its dots: `.spec.replicas`. Brackets, quotes and backslashes mean nothing, they are part of the
 * keys. Source: k8s.io/apimachinery/pkg/apis/meta/v1/unstructured NestedFieldNoCopy, SetNestedField.
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
    // A null on the way is as good as nothing.
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
