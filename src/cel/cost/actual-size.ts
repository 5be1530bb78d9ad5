import { CelBytes } from '../values/bytes.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { CelOpaque } from '../values/opaque.ts';
import { CelOptional } from '../values/optional.ts';
import { codePointLength } from '../values/text.ts';
import type { Result } from '../values/value.ts';

/** How large a value is when a call on it is paid for: 1 for what has no size, errors included. */
export function actualSize(value: Result): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null || value instanceof Number) return 1;
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof CelBytes) return value.bytes.length;
  return value instanceof CelOpaque ? (value.size() ?? 1) : 1;
}

/** The same, an optional counting as what it holds: how the language's own functions are paid for. */
export function sizeThroughOptionals(value: Result): number {
  if (value instanceof CelOptional) return value.value === undefined ? 1 : sizeThroughOptionals(value.value);
  return actualSize(value);
}
