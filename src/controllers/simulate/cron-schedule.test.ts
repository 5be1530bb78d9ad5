import { expect, test } from 'vitest';
import { parseCron } from './cron-schedule.ts';

test.each([
  ['*/5 * * * *', '2030-01-01T00:00:00Z', '2030-01-01T00:05:00.000Z'],
  ['*/5 * * * *', '2030-01-01T00:04:59Z', '2030-01-01T00:05:00.000Z'],
  ['0 3 * * *', '2030-01-01T03:00:00Z', '2030-01-02T03:00:00.000Z'],
  ['30 1-3/2 * * *', '2030-01-01T01:30:00Z', '2030-01-01T03:30:00.000Z'],
  ['0 0 * * mon-fri', '2030-01-04T00:00:00Z', '2030-01-07T00:00:00.000Z'],
  ['0 0 * * sun', '2030-01-01T00:00:00Z', '2030-01-06T00:00:00.000Z'],
  ['@every 90s', '2030-01-01T00:00:00.500Z', '2030-01-01T00:01:30.000Z'],
  // The day of the month, or the day of the week.
  ['0 0 13 * fri', '2030-01-01T00:00:00Z', '2030-01-04T00:00:00.000Z'],
  ['0 0 29 2 *', '2030-01-01T00:00:00Z', '2032-02-29T00:00:00.000Z'],
  ['@hourly', '2030-12-31T23:10:00Z', '2031-01-01T00:00:00.000Z'],
  ['0 0 1 jan,jul *', '2030-01-01T00:00:00Z', '2030-07-01T00:00:00.000Z'],
])('%s after %s is %s', (text, after, next) => {
  expect(new Date(parseCron(text)?.next(Date.parse(after)) ?? 0).toISOString()).toBe(next);
});

test.each([
  '',
  '* * * *',
  '60 * * * *',
  '* * 0 * *',
  '5-1 * * * *',
  '*/0 * * * *',
  '1-2-3 * * * *',
  'x * * * *',
  '* * * * moon',
  '0 0 * * 7',
])('%j is not a schedule', (text) => expect(parseCron(text)).toBeUndefined());

test('a day that never comes', () => {
  expect(parseCron('0 0 31 2 *')?.next(0)).toBeUndefined();
});
