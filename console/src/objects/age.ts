const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** The time since a timestamp in its largest unit, for short times with the next one. */
export function ageOf(time: string | undefined, nowMs: number): string {
  const then = Date.parse(time ?? '');
  if (Number.isNaN(then)) return '';
  let seconds = Math.max(0, Math.floor((nowMs - then) / 1000));
  for (const [index, [unit, size]] of units.entries()) {
    const count = Math.floor(seconds / size);
    if (count === 0 && unit !== 's') continue;
    seconds -= count * size;
    const next = units[index + 1];
    const rest = next === undefined ? 0 : Math.floor(seconds / next[1]);
    return count < 10 && rest > 0 && next !== undefined
      ? `${count}${unit}${rest}${next[0]}`
      : `${count}${unit}`;
  }
  return '0s';
}
