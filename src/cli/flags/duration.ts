const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/**
 * A duration as Go's flags take it, in milliseconds.
 *
 * @example parseDuration('5m0s') // 300000
 * @throws {RangeError} for anything else
 */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  if (!/^(?:[0-9]+(?:\.[0-9]+)?(?:h|ms|m|s))+$/.test(text))
    throw new RangeError(`${text} is no duration: want 5m0s`);
  let sumMs = 0;
  for (const [, amount, unit = ''] of text.matchAll(/([0-9.]+)(h|ms|m|s)/g)) {
    sumMs += Number(amount) * (unitMs[unit] ?? 0);
  }
  return Math.round(sumMs);
}
