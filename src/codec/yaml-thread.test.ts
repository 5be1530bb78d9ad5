import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { parseEvents } from 'js-yaml';
import { atOnce, limits } from '../meta/index.ts';
import { type Decoded, DecodeError, decodeYaml, decodeYamlInTurns, YamlThread } from './index.ts';
import { packEvents, unpackEvents } from './yaml/packed-events.ts';

const troubles: unknown[] = [];
const thread = new YamlThread((error) => troubles.push(error));
afterAll(() => thread.close());

function inThread(bytes: Buffer): Promise<Decoded> {
  return decodeYamlInTurns(bytes, { run: atOnce, elsewhere: () => (document) => thread.parse(document) });
}

const outcome = async (decode: () => Decoded | Promise<Decoded>) => {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
};

test.each([
  [
    'scalars of all styles',
    "a: plain\nb: 'it''s'\nc: \"\\u00e9\\n\"\nd: |-\n  x\n   y\ne: >+\n  x\n\n  y\n\n",
  ],
  ['anchors, aliases and merges', 'a: &x {b: 1, c: &y [1, 2]}\nd: {<<: *x, e: *y}\n'],
  ['tags', 'a: !!str 1\nb: !!binary aGk=\nc: ! 2\n'],
  ['numbers and words', '[010, 1.0, yes, ~, 18446744073709551615, 1e3, -0.0, 2001-01-01]'],
  ['duplicate keys', 'a: 1\nb: 2\na: 3\n'],
  ['lines that are moved', 'a: {\n  b: c\n}\nd: {\ne: f\n}\n'],
  ['text after a flow collection', '{a: 1}x'],
  ['a second document', 'a: 1\n---\nb: 2\n'],
  ['nothing', '# only a comment\n'],
  ['a key named __proto__', '__proto__: {a: 1}\n'],
  ['a syntax error', 'a: 1\n  b: 2\n'],
  ['an unknown anchor', 'a: *b\n'],
  ['collections nested too deeply', '['.repeat(limits.nestingDepthMax + 1)],
  ['a character outside of ASCII', `é: "${'€'.repeat(100)}"\n`],
])('the thread reads %s as the caller does', async (_, text) => {
  const bytes = Buffer.from(text);
  expect(await outcome(() => inThread(bytes))).toEqual(await outcome(() => decodeYaml(bytes)));
  expect(troubles).toEqual([]);
});

test('documents that are sent together are answered each for itself', async () => {
  const values = await Promise.all([1, 2, 3].map((number) => inThread(Buffer.from(`a: ${number}`))));
  expect(values.map(({ value }) => value)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
});

test('a thread that was ended is not needed: the caller parses', async () => {
  const ended = new YamlThread((error) => troubles.push(error));
  const parsing = decodeYamlInTurns(Buffer.from('a: [1]'), {
    run: atOnce,
    elsewhere: () => (document) => ended.parse(document),
  });
  await ended.close();
  expect((await parsing).value).toEqual({ a: [1] });
  expect(troubles).toEqual([]);
});

test('events are the same after they were packed', () => {
  const text = '&a a: [!x b, "c", *a]\n? {}\n: |2-\n   d\n';
  const events = parseEvents(text, { maxDepth: 10 });
  expect([...unpackEvents(packEvents(events))]).toEqual(events);
});

test('a process with flags for its main script has the thread, too', () => {
  const script = `
    const { startServer } = await import('ilk-apiserver');
    const lines = Array.from({ length: 40_000 }, (_, index) => '  k' + index + ': value');
    const body = ['apiVersion: v1', 'kind: ConfigMap', 'metadata: {name: a}', 'data:', ...lines].join('\\n');
    const server = await startServer({ listen: false });
    const { status } = await server.fetch('/api/v1/namespaces/default/configmaps?dryRun=All', {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body,
    });
    console.log(body.length > 600_000, status);
    await server.close();
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  expect([stdout.toString(), stderr.toString()]).toEqual(['true 201\n', '']);
});
