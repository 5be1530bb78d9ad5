/**
 * A duration as Go prints it: `250ms`, `1.5s`, `2m0.5s`, `1h0m0s`. Source: Go, time.Duration.String.
 *
 * @param ms whole milliseconds, not negative
 */
export function goDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 1_000) return `${ms}ms`;
  const hours = Math.trunc(ms / 3_600_000);
  const minutes = Math.trunc(ms / 60_000) % 60;
  const seconds = `${(ms % 60_000) / 1_000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
