import type { CelError } from './cel-error.ts';
import { Comparable } from './comparable.ts';
import { intOverflow, maxInt, minInt } from './int.ts';
import type { Value } from './value.ts';

/** A duration in nanoseconds, in an int64 as in Go. */
export class CelDuration extends Comparable {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  equals(other: Value): boolean {
    return other instanceof CelDuration && other.nanos === this.nanos;
  }
}

export const nanosPerSecond = 1_000_000_000n;

/** The duration of a number of nanoseconds, or an overflow error. */
export function checkedDuration(nanos: bigint): CelDuration | CelError {
  return nanos < minInt || nanos > maxInt ? intOverflow : new CelDuration(nanos);
}

/** The seconds as cel-go prints them: `90s`, `0.5s`. */
export function formatDuration(duration: CelDuration): string {
  return `${formatSeconds(duration)}s`;
}

/** Go's Duration.Seconds() in its shortest decimal form without an exponent. */
function formatSeconds(duration: CelDuration): string {
  const seconds = Number(duration.nanos / nanosPerSecond) + Number(duration.nanos % nanosPerSecond) / 1e9;
  return decimal(seconds);
}

/** The shortest decimal that parses to the same double, never with an exponent (a duration is below 1e10 s). */
function decimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return value
    .toFixed(20)
    .replace(/0+$/, '')
    .slice(0, digitsOf(text) + 2 + (value < 0 ? 1 : 0));
}

/** The number of decimals of a number: 8 for 1.5e-7. */
function digitsOf(text: string): number {
  const [mantissa = '', exponent = '0'] = text.replace('-', '').split('e');
  return mantissa.replace('.', '').length - 1 + Math.abs(Number(exponent));
}

const unitNanos: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: nanosPerSecond,
  m: 60n * nanosPerSecond,
  h: 3600n * nanosPerSecond,
};

const durationPart = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/** Go's time.ParseDuration: `1h30m`, `-1.5s`, `0`; undefined for invalid input. */
export function parseGoDuration(text: string): CelDuration | undefined {
  const sign = text.startsWith('-') ? -1n : 1n;
  const body = /^[-+]/.test(text) ? text.slice(1) : text;
  if (body === '0') return new CelDuration(0n);
  if (body === '') return undefined;
  let total = 0n;
  durationPart.lastIndex = 0;
  while (durationPart.lastIndex < body.length) {
    const part = durationPart.exec(body);
    if (part === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = part;
    if (whole === '' && fraction === '') return undefined;
    total += partNanos(whole, fraction, unitNanos[unit] ?? 0n);
    if (total > maxInt + 1n) return undefined;
  }
  const nanos = sign * total;
  return nanos > maxInt ? undefined : new CelDuration(nanos);
}

function partNanos(whole: string, fraction: string, unit: bigint): bigint {
  const digits = fraction.slice(0, 18);
  return (
    BigInt(whole === '' ? 0 : whole) * unit +
    (BigInt(digits === '' ? 0 : digits) * unit) / 10n ** BigInt(digits.length)
  );
}
