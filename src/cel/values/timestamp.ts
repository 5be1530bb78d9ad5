import { CelError } from './cel-error.ts';
import { Comparable } from './comparable.ts';
import { CelDuration, nanosPerSecond } from './duration.ts';
import { intOverflow, maxInt, minInt } from './int.ts';
import type { Value } from './value.ts';

/** The first and last second of the years 1 to 9999. */
const minSeconds = -62135596800;
const maxSeconds = 253402300799;

const timestampOverflow = new CelError('timestamp overflow');

/** A timestamp: seconds since 1970 and nanoseconds within the second. */
export class CelTimestamp extends Comparable {
  readonly seconds: number;
  readonly nanos: number;
  /** The zone it was written in, only for printing. */
  readonly offsetSeconds: number;

  constructor(seconds: number, nanos = 0, offsetSeconds = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offsetSeconds = offsetSeconds;
  }

  equals(other: Value): boolean {
    return other instanceof CelTimestamp && this.compare(other) === 0;
  }

  compare(other: CelTimestamp): -1 | 0 | 1 {
    if (this.seconds !== other.seconds) return this.seconds < other.seconds ? -1 : 1;
    return this.nanos < other.nanos ? -1 : this.nanos > other.nanos ? 1 : 0;
  }

  /** Nanoseconds since 1970. */
  get epochNanos(): bigint {
    return BigInt(this.seconds) * nanosPerSecond + BigInt(this.nanos);
  }

  plus(duration: CelDuration): CelTimestamp | CelError {
    return timestampOfNanos(this.epochNanos + duration.nanos, this.offsetSeconds);
  }

  minus(duration: CelDuration): CelTimestamp | CelError {
    return timestampOfNanos(this.epochNanos - duration.nanos, this.offsetSeconds);
  }

  since(other: CelTimestamp): CelDuration | CelError {
    const nanos = this.epochNanos - other.epochNanos;
    return nanos < minInt || nanos > maxInt ? intOverflow : new CelDuration(nanos);
  }
}

function timestampOfNanos(epochNanos: bigint, offsetSeconds: number): CelTimestamp | CelError {
  let seconds = epochNanos / nanosPerSecond;
  let nanos = epochNanos % nanosPerSecond;
  if (nanos < 0n) {
    seconds -= 1n;
    nanos += nanosPerSecond;
  }
  return checkedTimestamp(Number(seconds), Number(nanos), offsetSeconds);
}

/** The timestamp, or an overflow error outside of the years 1 to 9999. */
export function checkedTimestamp(seconds: number, nanos: number, offsetSeconds = 0): CelTimestamp | CelError {
  if (seconds < minSeconds || seconds > maxSeconds) return timestampOverflow;
  return new CelTimestamp(seconds, nanos, offsetSeconds);
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[T](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([-+])(\d\d):(\d\d))$/;

/** Go's time.Parse with RFC 3339; undefined for invalid input. */
export function parseRfc3339(text: string): CelTimestamp | CelError | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = '0', zoneMinute = '0'] =
    match;
  const fields = [year, month, day, hour, minute, second].map(Number);
  const seconds = secondsOf(fields);
  if (seconds === undefined || Number(zoneHour) > 24 || Number(zoneMinute) > 60) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(zoneHour) * 3600 + Number(zoneMinute) * 60);
  return checkedTimestamp(seconds - offset, Number(fraction.padEnd(9, '0').slice(0, 9)), offset);
}

/** Seconds since 1970 of a UTC calendar time; undefined if the day or hour does not exist. */
export function secondsOf(fields: readonly number[]): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields;
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1) return undefined;
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}

/** RFC 3339 with the necessary decimals, Go's RFC3339Nano. */
export function formatTimestamp(timestamp: CelTimestamp): string {
  const local = new Date((timestamp.seconds + timestamp.offsetSeconds) * 1000).toISOString().slice(0, 19);
  const decimals =
    timestamp.nanos === 0 ? '' : `.${String(timestamp.nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${local}${decimals}${formatZone(timestamp.offsetSeconds)}`;
}

function formatZone(offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'Z';
  const minutes = Math.abs(offsetSeconds) / 60;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${offsetSeconds < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
