import { type FunctionDeclaration, memberOverload, type Overload } from '../functions/function.ts';
import { duration, string, timestamp } from '../functions/param.ts';
import { intType } from '../types/type.ts';
import { isError } from '../values/cel-error.ts';
import { dayOfYear, inZone } from './calendar.ts';

interface Getter {
  readonly name: string;
  /** The part of cel-go's overload id behind `timestamp_to_`. */
  readonly id: string;
  readonly field: (date: Date) => number;
  /** Nanoseconds per unit, for functions that durations have as well. */
  readonly unitNanos?: bigint;
}

const getters: readonly Getter[] = [
  { name: 'getFullYear', id: 'year', field: (date) => date.getUTCFullYear() },
  { name: 'getMonth', id: 'month', field: (date) => date.getUTCMonth() },
  { name: 'getDayOfYear', id: 'day_of_year', field: dayOfYear },
  { name: 'getDayOfMonth', id: 'day_of_month', field: (date) => date.getUTCDate() - 1 },
  { name: 'getDate', id: 'day_of_month_1_based', field: (date) => date.getUTCDate() },
  { name: 'getDayOfWeek', id: 'day_of_week', field: (date) => date.getUTCDay() },
  { name: 'getHours', id: 'hours', field: (date) => date.getUTCHours(), unitNanos: 3_600_000_000_000n },
  { name: 'getMinutes', id: 'minutes', field: (date) => date.getUTCMinutes(), unitNanos: 60_000_000_000n },
  { name: 'getSeconds', id: 'seconds', field: (date) => date.getUTCSeconds(), unitNanos: 1_000_000_000n },
];

function getter({ name, id, field, unitNanos }: Getter): FunctionDeclaration {
  const withZoneId = id === 'seconds' ? 'timestamp_to_seconds_tz' : `timestamp_to_${id}_with_tz`;
  const overloads: Overload[] = [
    memberOverload(`timestamp_to_${id}`, [timestamp], intType, (value) =>
      field(new Date(value.seconds * 1000)),
    ),
    memberOverload(withZoneId, [timestamp, string], intType, (value, zone) => {
      const date = inZone(value, zone);
      return isError(date) ? date : field(date);
    }),
  ];
  if (unitNanos !== undefined) {
    overloads.push(
      memberOverload(`duration_to_${id}`, [duration], intType, ({ nanos }) => Number(nanos / unitNanos)),
    );
  }
  return { name, overloads };
}

const getMilliseconds: FunctionDeclaration = {
  name: 'getMilliseconds',
  overloads: [
    memberOverload('timestamp_to_milliseconds', [timestamp], intType, ({ nanos }) => Math.floor(nanos / 1e6)),
    memberOverload('timestamp_to_milliseconds_with_tz', [timestamp, string], intType, (value, zone) => {
      const date = inZone(value, zone);
      return isError(date) ? date : Math.floor(value.nanos / 1e6);
    }),
    memberOverload('duration_to_milliseconds', [duration], intType, ({ nanos }) =>
      Number(nanos / 1_000_000n),
    ),
  ],
};

/** The fields of a timestamp, in UTC or a given zone, and a duration in whole units. */
export const time: readonly FunctionDeclaration[] = [...getters.map(getter), getMilliseconds];
