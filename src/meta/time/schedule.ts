import { parseGoDuration } from './parse-go-duration.ts';

/** The range of a field of a schedule, and the names of its values. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
const fieldBounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: weekdays },
];

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** The values of a field, and whether it has a `*` without a step. */
interface ScheduleField {
  readonly values: ReadonlySet<number>;
  readonly isAny: boolean;
}

/** A schedule of a CronJob: five fields (crontab(5)), or a fixed interval (`@every 5m`). */
export type Schedule = { readonly fields: readonly ScheduleField[] } | { readonly everyMs: number };

/** Why a text is not a schedule. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

/**
 * Parses a schedule with the rules and messages of the parser that kube-apiserver uses.
 * Source: github.com/robfig/cron v3, ParseStandard.
 *
 * @throws {ScheduleError} for an invalid schedule: `end of range (61) above maximum (59): 61`
 */
export function parseSchedule(text: string): Schedule {
  if (text === '') throw new ScheduleError('empty spec string');
  if (text.startsWith('@every ')) return { everyMs: parseInterval(text) };
  const spec = text.startsWith('@') ? descriptors.get(text) : text;
  if (spec === undefined) throw new ScheduleError(`unrecognized descriptor: ${text}`);
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== fieldBounds.length) {
    const found = `found ${fields.length}: [${fields.join(' ')}]`;
    throw new ScheduleError(`expected exactly ${fieldBounds.length} fields, ${found}`);
  }
  return { fields: fieldBounds.map((bounds, index) => parseField(fields[index] ?? '', bounds)) };
}

function parseInterval(text: string): number {
  const ms = parseGoDuration(text.slice('@every '.length));
  if (typeof ms === 'number') return ms;
  throw new ScheduleError(`failed to parse duration ${text}: ${ms}`);
}

/** A field is a list of ranges: `1-5,10,20/5`. */
function parseField(text: string, bounds: Bounds): ScheduleField {
  const ranges = text
    .split(',')
    .filter((range) => range !== '')
    .map((range) => parseRange(range, bounds));
  const values = ranges.flatMap(({ start, end, step }) =>
    Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, index) => start + index * step),
  );
  return { values: new Set(values), isAny: ranges.some(({ isAny, step }) => isAny && step === 1) };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isAny: boolean;
}

/** A range is `*`, `?`, `N` or `N-M`, each with `/STEP` or without. `N/STEP` has no end. */
function parseRange(text: string, bounds: Bounds): Range {
  const [base = '', by, ...slashes] = text.split('/');
  const [low = '', high, ...hyphens] = base.split('-');
  const isAny = low === '*' || low === '?';
  const start = isAny ? bounds.min : parseValue(low, bounds);
  if (!isAny && hyphens.length > 0) throw new ScheduleError(`too many hyphens: ${text}`);
  const end = isAny ? bounds.max : high === undefined ? start : parseValue(high, bounds);
  if (slashes.length > 0) throw new ScheduleError(`too many slashes: ${text}`);
  const step = by === undefined ? 1 : parseValue(by, {});
  const isOpen = by !== undefined && high === undefined;
  const range = { start, end: isOpen ? bounds.max : end, step, isAny };
  checkRange(text, range, bounds);
  return range;
}

function checkRange(text: string, { start, end, step }: Range, { min, max }: Bounds): void {
  if (start < min) throw new ScheduleError(`beginning of range (${start}) below minimum (${min}): ${text}`);
  if (end > max) throw new ScheduleError(`end of range (${end}) above maximum (${max}): ${text}`);
  if (start > end)
    throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
}

/** A number, or the name of one. */
function parseValue(text: string, { min = 0, names = [] }: Partial<Bounds>): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + min;
  const failed = `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d+$/.test(text)) throw new ScheduleError(`${failed}: invalid syntax`);
  const number = BigInt(text.replace(/^\+/, ''));
  if (number > 2n ** 63n - 1n || number < -(2n ** 63n))
    throw new ScheduleError(`${failed}: value out of range`);
  if (number < 0n) throw new ScheduleError(`negative number (${number}) not allowed: ${text}`);
  return Number(number);
}
