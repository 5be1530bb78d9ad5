import { Float64, type JsonValue } from '../meta/index.ts';

/**
 * True if a value is nested deeper than this many levels. Descends no further than that, because the value may be
 * deeper than the stack.
 */
export function isNestedDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return false;
  if (levels <= 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isNestedDeeper(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) {
    if (Object.hasOwn(value, key) && isNestedDeeper(value[key] ?? null, levels - 1)) return true;
  }
  return false;
}
