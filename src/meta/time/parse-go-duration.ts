const unitMs: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['\u00b5s', 1e-3],
  ['\u03bcs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A part of a duration: an amount and its unit. */
const part = /^([0-9]*\.?[0-9]*)([^0-9.]*)/;

/**
 * Parses a duration as Go does: `1.5s`, `2m30s`, `-1h`. Source: Go, time.ParseDuration.
 *
 * @returns milliseconds, or Go's error message
 */
export function parseGoDuration(text: string): number | string {
  const invalid = `time: invalid duration ${JSON.stringify(text)}`;
  const sign = text.startsWith('-') ? -1 : 1;
  let rest = /^[-+]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return 0;
  if (rest === '') return invalid;
  let sumMs = 0;
  while (rest !== '') {
    const [whole = '', amount = '', unit = ''] = part.exec(rest) ?? [];
    if (!/[0-9]/.test(amount)) return invalid;
    if (unit === '') return `time: missing unit in duration ${JSON.stringify(text)}`;
    const ms = unitMs.get(unit);
    if (ms === undefined)
      return `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`;
    sumMs += Number(amount) * ms;
    rest = rest.slice(whole.length);
  }
  return sign * sumMs;
}
