import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { parseQuery } from './parse-query.ts';

test.each([
  ['', []],
  ['a=1&b=2', ['a=1', 'b=2']],
  ['a=%zz&b=2', ['b=2']],
  ['a%zz=1&b=2', ['b=2']],
  ['a=%3&b=2', ['b=2']],
  ['a=%&b=%41', ['b=A']],
  ['a=1;b=2&c=3', ['c=3']],
  ['a;b&c=3', ['c=3']],
  ['a=%3B&b=%25zz', ['a=;', 'b=%zz']],
  ['a=b+c&&d', ['a=b c', 'd=']],
  ['=1&a', ['=1', 'a=']],
  ['?a=1', ['?a=1']],
  ['?a=1&b=;', ['?a=1']],
  ['__proto__=1;', []],
])('the parameters of %j are %j', (search, pairs) => {
  expect([...parseQuery(search)].map(([name, value]) => `${name}=${value}`)).toEqual(pairs);
});

test('a query with too many parameters has none', () => {
  const query = (count: number) => parseQuery(Array.from({ length: count }, () => 'a').join('&'));
  expect([...query(limits.queryParametersMax)]).toHaveLength(limits.queryParametersMax);
  expect([...query(limits.queryParametersMax + 1)]).toEqual([]);
});
