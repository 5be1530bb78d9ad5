import { CelBytes } from './bytes.ts';
import { CelDouble } from './double.ts';
import { CelDuration } from './duration.ts';
import { CelList } from './list.ts';
import { CelMap } from './map.ts';
import { CelMessage } from './message.ts';
import { CelTimestamp } from './timestamp.ts';
import { CelUint } from './uint.ts';
import type { Value } from './value.ts';

/** The start of year 1, Go's zero time. */
const goZeroSeconds = -62135596800;

/** Whether a value is empty or the zero value of its type; an optional has no zero value. */
export function isZeroValue(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof CelMessage) return value.fields.size === 0;
  if (value instanceof CelDouble) return value.value === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelBytes) return value.bytes.length === 0;
  if (value instanceof CelDuration) return value.nanos === 0n;
  return value instanceof CelTimestamp && value.seconds === goZeroSeconds && value.nanos === 0;
}
