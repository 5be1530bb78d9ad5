import { expect, test } from 'vitest';
import { fieldErrorText } from '../../meta/index.ts';
import { aboveAllErrors, countIn, countOrPercentErrors } from './count-or-percent.ts';

test.each([
  [0, []],
  [3, []],
  ['50%', []],
  [undefined, []],
  [-1, ['maxSurge: Invalid value: -1: must be greater than or equal to 0']],
])('%j as a count or a percentage', (value, errors) => {
  expect(countOrPercentErrors('maxSurge', value).map(fieldErrorText)).toEqual(errors);
});

test.each(['', '%', '-1%', '1.5%', 'half', '50 %'])('%j is no percentage', (value) => {
  const [error, ...others] = countOrPercentErrors('maxSurge', value).map(fieldErrorText);
  expect(error).toContain(
    `maxSurge: Invalid value: "${value}": a valid percent string must be a numeric string`,
  );
  expect(others).toEqual([]);
});

test('a share of all is at most all', () => {
  const errors = (value: string | number) => aboveAllErrors('maxUnavailable', value).map(fieldErrorText);
  expect(errors('100%')).toEqual([]);
  expect(errors(200)).toEqual([]);
  expect(errors('101%')).toEqual(['maxUnavailable: Invalid value: "101%": must not be greater than 100%']);
});

test('the number in it, of whatever', () => {
  expect([3, '25%', 'half', undefined].map(countIn)).toEqual([3, 25, 0, 0]);
});
