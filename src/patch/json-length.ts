import { Float64, goJson, type JsonValue } from '../meta/index.ts';

/** Characters that JSON does not escape. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/;

/**
 * The length of a value in {@link goJson} form, without building the text. The value must not exceed the depth limit
 * of bodies.
 */
export function jsonLength(value: JsonValue): number {
  if (typeof value === 'string') return textLength(value);
  if (typeof value !== 'object' || value === null || value instanceof Float64) return goJson(value).length;
  let length = 2;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) length += jsonLength(item);
    count = value.length;
  } else {
    for (const key in value) {
      if (!Object.hasOwn(value, key)) continue;
      length += textLength(key) + 1 + jsonLength(value[key] ?? null);
      count += 1;
    }
  }
  return length + Math.max(0, count - 1);
}

function textLength(text: string): number {
  return plain.test(text) ? text.length + 2 : goJson(text).length;
}
