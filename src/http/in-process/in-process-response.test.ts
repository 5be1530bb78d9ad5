import { expect, test } from 'vitest';
import { readHeaders } from './in-process-headers.ts';
import { responseOf } from './in-process-response.ts';

const headers = { 'content-type': 'application/json', warning: ['299 - "a"', '299 - "b"'] };
const answer = (text = '{"a":1}', status = 200) => ({ status, headers, body: Buffer.from(text) });
const real = (text = '{"a":1}', status = 200) =>
  new Response(text, {
    status,
    headers: { 'content-type': 'application/json', warning: headers.warning.join(', ') },
  });

/** The value of a promise, or its error. */
async function outcome(what: () => unknown): Promise<unknown> {
  try {
    return await what();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error;
  }
}

type Use = (response: Response) => unknown;

test.each<[string, Use]>([
  ['status', (one) => [one.status, one.ok, one.statusText, one.type, one.url, one.redirected]],
  ['headers', (one) => [...one.headers]],
  [
    'the same headers',
    (one) => [one, one].map(({ headers }) => headers).every((all, _, [first]) => all === first),
  ],
  ['text', (one) => one.text()],
  ['json', (one) => one.json()],
  ['arrayBuffer', async (one) => [...new Uint8Array(await one.arrayBuffer())]],
  ['blob', async (one) => (await one.blob()).text()],
  ['formData', (one) => one.formData()],
  ['body', async (one) => new Response(one.body).text()],
  ['unread', (one) => one.bodyUsed],
  ['read', async (one) => [await one.text(), one.bodyUsed]],
  ['reading', (one) => [one.text() instanceof Promise, one.bodyUsed]],
  ['read twice', async (one) => [await one.text(), await one.text()]],
  ['read twice otherwise', async (one) => [await one.json(), await one.arrayBuffer()]],
  ['headers once it was read', async (one) => [await one.text(), one.headers.get('warning'), one.bodyUsed]],
  ['headers before it is read', async (one) => [one.headers.get('warning'), await one.text(), one.bodyUsed]],
  ['a copy', async (one) => [await one.clone().text(), await one.text()]],
  ['a copy once it was read', async (one) => [await one.text(), one.clone()]],
  ['instanceof', (one) => [one instanceof Response, one instanceof Headers, `${one}`]],
])('%s: as of a response of fetch', async (_, use) => {
  expect(await outcome(() => use(responseOf(answer())))).toEqual(await outcome(() => use(real())));
  expect(await outcome(() => use(responseOf(answer('x', 404))))).toEqual(
    await outcome(() => use(real('x', 404))),
  );
});

test('bodies in chunks, streams, and no body', async () => {
  const pieces = [Buffer.from('a'), Buffer.from('b')];
  expect(await responseOf({ status: 200, headers, body: pieces }).text()).toBe('ab');
  async function* stream() {
    yield* pieces;
  }
  expect(await responseOf({ status: 200, headers, body: stream() }).text()).toBe('ab');
  expect(responseOf(answer('', 304)).body).toBeNull();
});

test.each<[RequestInit['headers']]>([
  [undefined],
  [{}],
  [{ Accept: 'application/json', 'X-A': ' b ' }],
  [{ Accept: 'a', accept: 'b' }],
  [{ accept: '' }],
  [{ accept: 'é' }],
  [{ 'bad name': 'a' }],
  [{ accept: 'a\nb' }],
  [
    [
      ['Accept', 'a'],
      ['accept', 'b'],
    ],
  ],
  [new Headers({ Accept: 'a' })],
])('headers are read as fetch reads them: %j', async (init) => {
  const ours = await outcome(() => ['accept', 'x-a', 'toString'].map((name) => readHeaders(init).get(name)));
  const theirs = await outcome(() => {
    const all = new Headers(init);
    return ['accept', 'x-a', 'toString'].map((name) => all.get(name) ?? undefined);
  });
  expect(ours).toEqual(theirs);
});
