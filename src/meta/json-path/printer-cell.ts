import { humanDuration } from '../time/human-duration.ts';
import { printJsonPathResult } from './json-path.ts';
import { parseTime } from '../time/parse-time.ts';
import type { JsonValue } from '../value/value.ts';

/** What `additionalPrinterColumns[].type` can be. */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean' | 'date';

/** What stands in a table; null is printed as nothing. */
export type PrinterCell = null | string | number | bigint | boolean;

/** Go's durations end after 292 years. */
const durationMsMax = 9_223_372_036_854;
const zeroTimeMs = Date.parse('0001-01-01T00:00:00Z');

/**
 * One cell: the first result of a column's path, as its type has it; null where it is of another type.
 * A column whose path failed has no results.
 *
 * @param now milliseconds since the Unix epoch, for ages
 */
export function printerCell(type: ColumnType, results: readonly JsonValue[], now: number): PrinterCell {
  const [value] = results;
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return printJsonPathResult(value);
    case 'integer':
      if (typeof value === 'bigint') return value;
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? age(value, now) : null;
  }
}

function age(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  const then = parseTime(text);
  if (then === undefined) return '<invalid>';
  // Go cannot tell its zero time from no time.
  if (then === zeroTimeMs) return '<unknown>';
  return humanDuration(Math.max(-durationMsMax, Math.min(durationMsMax, now - then)));
}
