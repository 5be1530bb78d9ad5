import type { ScalarKind } from '../types/declared-type.ts';
import { CelBytes } from '../values/bytes.ts';
import { CelError } from '../values/cel-error.ts';
import { CelDouble } from '../values/double.ts';
import { CelDuration, parseGoDuration } from '../values/duration.ts';
import { intOf, maxInt, minInt } from '../values/int.ts';
import { CelTimestamp, parseRfc3339, secondsOf } from '../values/timestamp.ts';
import type { Result } from '../values/value.ts';

/** A scalar of the caller's JSON as a value of the declared kind. */
export function readScalar(kind: ScalarKind, raw: unknown): Result {
  switch (kind) {
    case 'bool':
      return typeof raw === 'boolean' ? raw : unexpected('bool', raw);
    case 'int':
      return readInt(raw) ?? unexpected('int', raw);
    case 'double':
      return readDouble(raw);
    case 'intOrString':
      return typeof raw === 'string' ? raw : (readInt(raw) ?? notIntOrString);
    case 'string':
      return typeof raw === 'string' ? raw : unexpected('string', raw);
    case 'bytes':
    case 'timestamp':
    case 'date':
    case 'duration':
      return typeof raw === 'string' ? readText(kind, raw) : unexpected('string', raw);
    default:
      return unexpected(kind, raw);
  }
}

const notIntOrString = new CelError(
  'invalid data, expected XIntOrString value to be either a string or integer',
);

function readInt(raw: unknown): Result | undefined {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? raw + 0 : undefined;
  return typeof raw === 'bigint' && raw >= minInt && raw <= maxInt ? intOf(raw) : undefined;
}

function readDouble(raw: unknown): Result {
  if (typeof raw === 'number') return new CelDouble(raw);
  if (raw instanceof Number) return new CelDouble(raw.valueOf());
  return typeof raw === 'bigint' ? new CelDouble(Number(raw)) : unexpected('float', raw);
}

/** Go's type name of a JSON value. */
function goTypeOf(raw: unknown): string {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? 'int64' : 'float64';
  if (typeof raw === 'bigint' || raw instanceof Number) return 'float64';
  if (typeof raw === 'boolean') return 'bool';
  if (typeof raw === 'string') return 'string';
  return Array.isArray(raw) ? '[]interface {}' : 'map[string]interface {}';
}

function unexpected(wanted: string, raw: unknown): CelError {
  return new CelError(`invalid data, expected ${wanted}, got ${goTypeOf(raw)}`);
}

/** Strings that stand for something else. */
export function readText(kind: 'bytes' | 'timestamp' | 'date' | 'duration', text: string): Result {
  switch (kind) {
    case 'bytes':
      return readBase64(text);
    case 'duration':
      return readDuration(text);
    case 'date': {
      const seconds = /^\d{4}-\d\d-\d\d$/.test(text) ? secondsOf(text.split('-').map(Number)) : undefined;
      return seconds === undefined
        ? new CelError(`Invalid date formatted string ${text}: not a date`)
        : new CelTimestamp(seconds);
    }
    case 'timestamp':
      return readDateTime(text);
  }
}

/** URL-safe base64, which the OpenAPI format `byte` uses. */
function readBase64(text: string): Result {
  const body = text.replace(/[\r\n]/g, '');
  const isBase64 = body.length % 4 === 0 && /^[A-Za-z0-9_-]*={0,2}$/.test(body);
  if (isBase64) return new CelBytes(Buffer.from(body, 'base64url'));
  const place = Math.max(text.search(/[^A-Za-z0-9_=\r\n-]/), 0);
  return new CelError(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${place}`);
}

/** Units of the OpenAPI format `duration` besides Go's; the last of each may have a plural (`days`). */
const units: readonly (readonly [nanos: bigint, names: readonly string[]])[] = [
  [1n, ['ns', 'nano']],
  [1_000n, ['us', '\u00b5s', 'micro']],
  [1_000_000n, ['ms', 'milli']],
  [1_000_000_000n, ['s', 'sec']],
  [60_000_000_000n, ['m', 'min']],
  [3_600_000_000_000n, ['h', 'hr', 'hour']],
  [86_400_000_000_000n, ['d', 'day']],
  [604_800_000_000_000n, ['w', 'wk', 'week']],
];

/** Go's durations, and those with OpenAPI's units: `3 days`, `1 week 2h`. */
function readDuration(text: string): Result {
  const plain = parseGoDuration(text);
  if (plain !== undefined) return plain;
  let total: bigint | undefined;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+)\s*([A-Za-z\u00b5]+)/g)) {
    const nanos = unitNanos(unit.toLowerCase());
    if (nanos !== undefined) total = (total ?? 0n) + BigInt(count) * nanos;
  }
  if (total === undefined || total > maxInt)
    return new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
  return new CelDuration(total);
}

function unitNanos(unit: string): bigint | undefined {
  return units.find(([, names]) => names.includes(unit) || unit.startsWith(names.at(-1) ?? unit))?.[0];
}

/** RFC 3339, the same without a zone as UTC, and the empty string as 1970. */
function readDateTime(text: string): Result {
  if (text === '') return new CelTimestamp(0);
  const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?$/.test(text);
  const parsed = parseRfc3339(isLocal ? `${text}Z` : text);
  return parsed ?? new CelError(`Invalid date-time formatted string ${text}: not a date-time`);
}
