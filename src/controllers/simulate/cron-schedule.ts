/** A schedule as crontab(5) has it: five fields. */
export interface CronSchedule {
  /** The first minute after a moment that the schedule names; undefined where none comes within five years. */
  next(afterMs: number): number | undefined;
}

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const names = [
  'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
  'sun mon tue wed thu fri sat'.split(' '),
];

const minuteMs = 60_000;
const daysMax = 5 * 366;

/** Undefined for a text that is no schedule. In UTC. */
export function parseCron(text: string): CronSchedule | undefined {
  const fields = (nicknames[text] ?? text).trim().toLowerCase().split(/\s+/);
  if (fields.length !== bounds.length) return undefined;
  const sets = fields.map((field, index) => valuesOf(field, index));
  if (sets.some((set) => set === undefined)) return undefined;
  const [minutes, hours, days, months, weekdays] = sets.map((set) => set ?? new Set<number>());
  if (minutes === undefined || hours === undefined || days === undefined) return undefined;
  if (months === undefined || weekdays === undefined) return undefined;
  const anyDay = fields[2] === '*' || fields[4] === '*';
  const isDay = (date: Date) => {
    if (!months.has(date.getUTCMonth() + 1)) return false;
    const [byDate, byWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    // Where both are given, either will do.
    return anyDay ? byDate && byWeekday : byDate || byWeekday;
  };
  return { next: (afterMs) => nextTime(afterMs, { isDay, hours, minutes }) };
}

interface Times {
  isDay(date: Date): boolean;
  readonly hours: ReadonlySet<number>;
  readonly minutes: ReadonlySet<number>;
}

function nextTime(afterMs: number, { isDay, hours, minutes }: Times): number | undefined {
  const first = (Math.floor(afterMs / minuteMs) + 1) * minuteMs;
  const day = new Date(first);
  day.setUTCHours(0, 0, 0, 0);
  for (let count = 0; count < daysMax; count += 1, day.setUTCDate(day.getUTCDate() + 1)) {
    if (!isDay(day)) continue;
    for (const hour of [...hours].sort((a, b) => a - b)) {
      for (const minute of [...minutes].sort((a, b) => a - b)) {
        const ms = day.getTime() + (hour * 60 + minute) * minuteMs;
        if (ms >= first) return ms;
      }
    }
  }
  return undefined;
}

/** `*`, `5`, `1-5`, `mon-fri`, each with a step behind it, and lists of them. */
function valuesOf(field: string, index: number): Set<number> | undefined {
  const [min, max] = bounds[index] ?? [0, 0];
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
    const ends =
      range === '*' || range === '?' ? [min, max] : range.split('-').map((one) => numberOf(one, index));
    const from = ends[0] ?? Number.NaN;
    const to = ends[1] ?? (part.includes('/') ? max : from);
    if (!(from >= min && to <= max && from <= to && Number(step) > 0 && ends.length < 3)) return undefined;
    for (let value = from; value <= to; value += Number(step)) values.add(index === 4 ? value % 7 : value);
  }
  return values;
}

function numberOf(text: string, index: number): number {
  if (/^\d+$/.test(text)) return Number(text);
  const at = (index === 3 ? names[0] : index === 4 ? names[1] : undefined)?.indexOf(text) ?? -1;
  return at < 0 ? Number.NaN : at + (index === 3 ? 1 : 0);
}
