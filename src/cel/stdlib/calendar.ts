import { CelError } from '../values/cel-error.ts';
import type { CelTimestamp } from '../values/timestamp.ts';

/** The local time in a zone: a Date whose UTC fields are the zone's. Errors have Go's message. */
export function inZone(timestamp: CelTimestamp, zone: string): Date | CelError {
  const offset = zone.includes(':') ? writtenOffset(zone) : namedOffset(timestamp, zone);
  return offset instanceof CelError ? offset : new Date((timestamp.seconds + offset) * 1000);
}

/** Seconds east of UTC of `+05:30`, `-08:00`, `02:00`. */
function writtenOffset(zone: string): number | CelError {
  const colon = zone.indexOf(':');
  const hours = atoi(zone.slice(0, colon));
  const minutes = atoi(zone.slice(colon + 1));
  if (hours instanceof CelError) return hours;
  if (minutes instanceof CelError) return minutes;
  if (minutes < 0 || minutes > 59)
    return new CelError(`timezone offset minutes out of range [0, 59]: ${zone}`);
  return (hours * 60 + (zone.startsWith('-') ? -minutes : minutes)) * 60;
}

function atoi(text: string): number | CelError {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  return new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function namedOffset(timestamp: CelTimestamp, zone: string): number | CelError {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  if (/^[/\\]|\.\./.test(zone)) return new CelError('time: invalid location name');
  // Go rejects zone names that are offsets or have another case; Intl would accept both.
  if (!/^[A-Z]/.test(zone) || /\/[a-z]/.test(zone)) return new CelError(`unknown time zone ${zone}`);
  try {
    return offsetOf(timestamp.seconds, zone);
  } catch (error) {
    if (error instanceof RangeError) return new CelError(`unknown time zone ${zone}`);
    throw error;
  }
}

function offsetOf(seconds: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const known = format.resolvedOptions().timeZone;
  if (known !== timeZone && known.toLowerCase() === timeZone.toLowerCase()) throw new RangeError(timeZone);
  const parts = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const field = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name) ?? 0);
  const year = parts.get('era') === 'BC' ? 1 - field('year') : field('year');
  const local = new Date(0);
  local.setUTCFullYear(year, field('month') - 1, field('day'));
  return local.getTime() / 1000 + field('hour') * 3600 + field('minute') * 60 + field('second') - seconds;
}

/** The day of the year, from 0. */
export function dayOfYear(date: Date): number {
  const first = new Date(0);
  first.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - first.getTime()) / 86_400_000);
}
