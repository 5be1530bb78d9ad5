import { DecodeError } from '../decode-error.ts';

const secondsMin = -62_135_596_800;
const secondsMax = 253_402_300_799;

/**
 * A time in RFC 3339, UTC, as `metav1.Time` (no fraction) and `metav1.MicroTime` (six digits) print it.
 *
 * @throws {DecodeError} for years that RFC 3339 cannot express.
 */
export function formatTimestamp(seconds: number | bigint, nanos: number, fractionDigits: 0 | 6): string {
  const whole = Number(seconds) + Math.floor(nanos / 1e9);
  if (!(whole >= secondsMin && whole <= secondsMax)) {
    throw new DecodeError('Time.MarshalJSON: year outside of range [0,9999]');
  }
  const text = new Date(whole * 1_000).toISOString().slice(0, 19);
  if (fractionDigits === 0) return `${text}Z`;
  const micros = Math.floor((((nanos % 1e9) + 1e9) % 1e9) / 1_000);
  return `${text}.${String(micros).padStart(6, '0')}Z`;
}

const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,](\d{1,9})\d*)?(?:Z|[-+]\d\d:\d\d)$/;

/** Seconds since 1970 and nanoseconds of an RFC 3339 time; undefined for an invalid one. */
export function parseTimestamp(text: string): { seconds: number; nanos: number } | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const milliseconds = Date.parse(text.replace(/[.,]\d+/, ''));
  if (Number.isNaN(milliseconds)) return undefined;
  return { seconds: milliseconds / 1_000, nanos: Number((match[1] ?? '').padEnd(9, '0')) };
}
