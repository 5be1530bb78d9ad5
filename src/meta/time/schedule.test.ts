import { expect, test } from 'vitest';
import { parseSchedule, ScheduleError } from './schedule.ts';

function mistakeIn(schedule: string): string | undefined {
  try {
    parseSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

test.each([
  ['* * * * *', undefined],
  ['*/5 0-23/2 1,15 jan-DEC mon', undefined],
  ['0 0 ? * SUN', undefined],
  ['59 23 31 12 6', undefined],
  ['5/15 * * * *', undefined],
  ['@hourly', undefined],
  ['@every 1h30m', undefined],
  [', * * * *', undefined],
  ['', 'empty spec string'],
  ['   ', 'expected exactly 5 fields, found 0: []'],
  ['a b', 'expected exactly 5 fields, found 2: [a b]'],
  ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['*/-2 * * * *', 'negative number (-2) not allowed: -2'],
  [
    '99999999999999999999 * * * *',
    'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
  ['@noon', 'unrecognized descriptor: @noon'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
])('the schedule %j: %s', (schedule, mistake) => expect(mistakeIn(schedule)).toBe(mistake));

test('a schedule has the values of each of its fields', () => {
  expect(parseSchedule('*/20 1-3,5 * feb 5/1')).toEqual({
    fields: [
      { values: new Set([0, 20, 40]), isAny: false },
      { values: new Set([1, 2, 3, 5]), isAny: false },
      { values: new Set(Array.from({ length: 31 }, (_, index) => index + 1)), isAny: true },
      { values: new Set([2]), isAny: false },
      { values: new Set([5, 6]), isAny: false },
    ],
  });
  expect(parseSchedule('@every 1h30m')).toEqual({ everyMs: 5_400_000 });
});
