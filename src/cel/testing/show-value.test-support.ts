import { CelBytes } from '../values/bytes.ts';
import { CelDouble } from '../values/double.ts';
import { CelDuration, formatDuration } from '../values/duration.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { CelOptional } from '../values/optional.ts';
import { CelTimestamp, formatTimestamp } from '../values/timestamp.ts';
import { CelType } from '../values/type-value.ts';
import { CelUint } from '../values/uint.ts';
import type { Result } from '../values/value.ts';

/** A value as cel-go prints it; undefined if its printed form is meaningless (a URL, a quantity). */
export function showValue(value: Result | undefined): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof CelDouble) return showDouble(value.value);
  if (value instanceof CelUint) return `${value.value}u`;
  if (value instanceof CelBytes) return `b"${Array.from(value.bytes, octal).join('')}"`;
  if (value instanceof CelList)
    return `[${Array.from({ length: value.size }, (_, i) => showValue(value.at(i))).join(', ')}]`;
  if (value instanceof CelMap)
    return `{${value
      .keys()
      .map((key) => `${showValue(key)}: ${showValue(value.find(key))}`)
      .sort()
      .join(', ')}}`;
  if (value instanceof CelOptional)
    return value.value === undefined ? 'optional.none()' : `optional.of(${showValue(value.value)})`;
  if (value instanceof CelTimestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof CelDuration) return `duration("${formatDuration(value)}")`;
  return value instanceof CelType ? value.name : undefined;
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

function showDouble(value: number): string {
  if (!Number.isFinite(value))
    return `double("${Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'}")`;
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
