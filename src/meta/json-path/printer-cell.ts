import { humanDuration } from '../time/human-duration.ts';
import { printJsonPathResult } from './json-path.ts';
import { parseTime } from '../time/parse-time.ts';
import type { JsonValue } from '../value/value.ts';

/** The values of `additionalPrinterColumns[].type`. */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean' | 'date';

/** The value of a table cell; null prints as empty. */
export type PrinterCell = null | string | number | bigint | boolean;

/** Go's durations overflow after 292 years. */
const durationMsMax = 9_223_372_036_854;
const zeroTimeMs = Date.parse('0001-01-01T00:00:00Z');

/**
 * One cell: the first result of a column's path, in the column's type; null if it has another type. If the path
 * failed, there are no results.
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
    case 'date': {
      const age = ageOf(results);
      return typeof age === 'object' && age !== null ? ageText(age, now) : age;
    }
  }
}

/** The time that a cell of type `date` counts from. */
export interface Age {
  /** In ms since 1970. */
  readonly sinceMs: number;
}

/** The constant text of a cell of type `date`, or the time that it counts from. */
export function ageOf([value]: readonly JsonValue[]): null | string | Age {
  if (typeof value !== 'string') return null;
  if (value === '' || value === 'null') return '<unknown>';
  const sinceMs = parseTime(value);
  if (sinceMs === undefined) return '<invalid>';
  // Go does not distinguish its zero time from no time.
  return sinceMs === zeroTimeMs ? '<unknown>' : { sinceMs };
}

/** The time since then: `5d3h`. */
export function ageText({ sinceMs }: Age, nowMs: number): string {
  return humanDuration(Math.max(-durationMsMax, Math.min(durationMsMax, nowMs - sinceMs)));
}
