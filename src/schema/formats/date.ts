import type { Format } from './format.ts';

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** A calendar date, `2006-01-02`. */
export function isDate(text: string): boolean {
  const match = datePattern.exec(text);
  if (match === null) return false;
  const month = Number(match[2]);
  const day = Number(match[3]);
  const leapDay = month === 2 && isLeapYear(Number(match[1])) ? 1 : 0;
  return day >= 1 && day <= (daysOfMonth[month - 1] ?? 0) + leapDay;
}

export const date: Format = { name: 'date', type: 'string', accepts: isDate };
