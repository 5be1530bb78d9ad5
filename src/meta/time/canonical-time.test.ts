import { expect, test } from 'vitest';
import { canonicalTime } from './canonical-time.ts';
import { formatTime } from './clock.ts';
import { parseTime } from './parse-time.ts';

test.each([
  ['2026-11-21T04:05:06Z', '2026-11-21T04:05:06Z'],
  ['2026-11-21T04:05:06.5+02:00', '2026-11-21T02:05:06Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['2023-02-29T00:00:00Z', undefined],
  ['2026-11-21T24:00:00Z', undefined],
  ['2026-11-21', undefined],
])('%s is written %s', (text, written) => expect(canonicalTime(text)).toBe(written));

test('what is seen at a glance is what reading and writing gives', () => {
  for (const year of ['0001', '1969', '2000', '2024', '2100', '9999'])
    for (const month of ['00', '01', '02', '09', '10', '12', '13'])
      for (const day of ['00', '01', '19', '20', '28', '29', '30', '31', '32'])
        for (const time of [
          '00:00:00',
          '19:59:59',
          '23:00:07',
          '24:00:00',
          '23:60:00',
          '23:00:60',
          '9:00:00',
        ]) {
          const text = `${year}-${month}-${day}T${time}Z`;
          const ms = parseTime(text);
          expect([text, canonicalTime(text)]).toEqual([text, ms === undefined ? undefined : formatTime(ms)]);
        }
});
