import { parseSchedule, type Schedule, ScheduleError } from '../../meta/index.ts';

/** The times of a schedule, in UTC. */
interface CronSchedule {
  /** The first time after a moment; undefined if there is none within five years. */
  next(afterMs: number): number | undefined;
}

const minuteMs = 60_000;
const daysMax = 5 * 366;

/** Undefined for an invalid schedule. */
export function parseCron(text: string): CronSchedule | undefined {
  try {
    return timesOf(parseSchedule(text));
  } catch (error) {
    if (error instanceof ScheduleError) return undefined;
    throw error;
  }
}

function timesOf(schedule: Schedule): CronSchedule {
  if ('everyMs' in schedule) {
    const everyMs = Math.max(1_000, schedule.everyMs);
    return { next: (afterMs) => Math.floor((afterMs + everyMs) / 1_000) * 1_000 };
  }
  const [minutes, hours, days, months, weekdays] = schedule.fields;
  if (minutes === undefined || hours === undefined) return { next: () => undefined };
  const isAnyDay = days?.isAny === true || weekdays?.isAny === true;
  const isDay = (date: Date) => {
    if (months?.values.has(date.getUTCMonth() + 1) !== true) return false;
    const byDate = days?.values.has(date.getUTCDate()) === true;
    const byWeekday = weekdays?.values.has(date.getUTCDay()) === true;
    // If both days are restricted, one of them has to match.
    return isAnyDay ? byDate && byWeekday : byDate || byWeekday;
  };
  return { next: (afterMs) => nextTime(afterMs, { isDay, hours: hours.values, minutes: minutes.values }) };
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
