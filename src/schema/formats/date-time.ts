import { isDate } from './date.ts';
import type { Format } from './format.ts';

const timePattern = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;

/**
 * RFC 3339 as upstream parses it: the zone is mandatory, leap seconds are invalid, any character may precede the
 * fraction, and everything after a second `T` is ignored.
 */
export const dateTime: Format = {
  name: 'date-time',
  type: 'string',
  accepts: (text) => {
    const [day = '', time = ''] = text.toLowerCase().split('t', 2);
    const match = timePattern.exec(time);
    if (match === null || !isDate(day)) return false;
    const [, hour = '', minute = '', second = ''] = match;
    return hour <= '23' && minute <= '59' && second <= '59';
  },
};
