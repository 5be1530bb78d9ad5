import { Float64, type JsonValue } from '../../meta/index.ts';

/** The number of object keys in a value, at all levels. */
export function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof Float64) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
    return count;
  }
  for (const key in value) {
    count += 1;
    const item = value[key];
    if (typeof item === 'object') count += countKeys(item);
  }
  return count;
}
