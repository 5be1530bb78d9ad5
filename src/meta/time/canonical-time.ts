import { formatTime } from './clock.ts';
import { parseTime } from './parse-time.ts';

/** A time of a year from 1900 to 2199 or so, on a day that every month has, as {@link formatTime} writes it. */
const canonical = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * Converts an RFC 3339 time to Kubernetes' form, in UTC and seconds; undefined for an invalid one. Nearly all times
 * have this form already and are recognized with one match: parsing them would cost as much as the rest of their
 * object.
 *
 *     2026-11-21T04:05:06.5+02:00 // 2026-11-21T02:05:06Z
 */
export function canonicalTime(text: string): string | undefined {
  if (canonical.test(text)) return text;
  const ms = parseTime(text);
  return ms === undefined ? undefined : formatTime(ms);
}
