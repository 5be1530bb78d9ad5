/** Go's time.Parse accepts an hour of one digit and a comma before the fraction; RFC 3339 does not. */
const shape = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses an RFC 3339 time, exactly the texts that Go's `time.Parse(time.RFC3339, text)` accepts:
 * `2026-11-21T04:05:06Z`. Returns milliseconds since the Unix epoch, truncated; undefined for an invalid time.
 */
export function parseTime(text: string): number | undefined {
  const found = shape.exec(text);
  if (found === null) return undefined;
  const number = (index: number) => Number(found[index] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  const [hour, minute, second] = [number(4), number(5), number(6)];
  const [zoneHour, zoneMinute] = [number(9), number(10)];
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 24 || zoneMinute > 60) return undefined;
  const date = new Date(0);
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number((found[7] ?? '').slice(0, 3).padEnd(3, '0')));
  const offsetMs = (zoneHour * 60 + zoneMinute) * 60_000;
  return date.getTime() - (found[8] === '-' ? -offsetMs : offsetMs);
}
