import { expect, test } from 'vitest';
import { startServer } from '../testing/index.ts';
import { limits } from '../meta/index.ts';
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

/** As recorded from kube-apiserver 1.37.1. */
const answers = {
  'limit=%zz': 200,
  'limit=abc': 400,
  'watch=1;a': 200,
  'timeout=%zz': 200,
  'labelSelector=a;b': 200,
  'labelSelector=a%3Bb': 400,
  '?limit=abc': 200,
};

test('a server ignores malformed parameters, over HTTP and in the process', async () => {
  await using server = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: false } });
  const token = /token: (\S+)/.exec(server.kubeconfig)?.[1];
  const found: Record<string, number[]> = {};
  for (const query of Object.keys(answers)) {
    const path = `/api/v1/namespaces/default/configmaps?${query}`;
    const sent = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    found[query] = [sent.status, (await server.fetch(path)).status];
  }
  const expected = Object.entries(answers).map(([query, status]) => [query, [status, status]]);
  expect(found).toEqual(Object.fromEntries(expected));
});
