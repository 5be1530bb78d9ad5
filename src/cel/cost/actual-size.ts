import { CelBytes } from '../values/bytes.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { CelOpaque } from '../values/opaque.ts';
import { CelOptional } from '../values/optional.ts';
import { codePointLength } from '../values/text.ts';
import type { Result } from '../values/value.ts';

/** The size of a value for cost accounting: 1 for values without a size, including errors. */
export function actualSize(value: Result): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null || value instanceof Number) return 1;
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof CelBytes) return value.bytes.length;
  return value instanceof CelOpaque ? (value.size() ?? 1) : 1;
}

/** The same, with an optional counted as its value: the rule for standard functions. */
export function sizeThroughOptionals(value: Result): number {
  if (value instanceof CelOptional) return value.value === undefined ? 1 : sizeThroughOptionals(value.value);
  return actualSize(value);
}
