import { formatTime } from './clock.ts';
import { parseTime } from './parse-time.ts';

/** A moment of this or a near century on a day that every month has, as {@link formatTime} writes it. */
const canonical = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * A moment in RFC 3339 as Kubernetes writes it, in UTC and whole seconds; undefined for anything else. Nearly all are
 * written so already, and are seen to be at a glance: taking them apart costs as much as the rest of their object.
 *
 *     2026-11-21T04:05:06.5+02:00 // 2026-11-21T02:05:06Z
 */
export function canonicalTime(text: string): string | undefined {
  if (canonical.test(text)) return text;
  const ms = parseTime(text);
  return ms === undefined ? undefined : formatTime(ms);
}
