import { isDate } from './date.ts';
import type { Format } from './format.ts';

const timePattern = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;

/**
 * RFC 3339 as upstream reads it: the zone is mandatory, there are no leap seconds, any character may stand before
 * the fraction of a second, and what follows a second `T` is not looked at.
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
