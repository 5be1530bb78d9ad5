import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIlk } from '../../test/cli/run-ilk.ts';
import { buildIfMissing, IlkProcess } from '../../test/fixtures/ilk-process.ts';
import { widgetCrd } from '../../test/fixtures/widgets.ts';

/** Files and parts of files that pages show: schemas.md, audit.md, encryption.md, diff.md, policy-tests.md. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ilk-fragments-'));
beforeAll(buildIfMissing);
afterAll(() => rmSync(folder, { recursive: true }));

/** The blocks of a page in a language. */
const blocksOf = (page: string, language: string): string[] =>
  [...readFileSync(`${root}docs/${page}`, 'utf8').matchAll(/^```(\S*)\n([\s\S]*?)^```/gm)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text);

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test.each([
  [0, { spec: { min: 5, max: 3 } }],
  [1, { spec: { labels: { 'not a key': 'x' } } }],
])('schemas.md: part %i of a schema, and what it says', async (index, content) => {
  const part = load(blocksOf('schemas.md', 'yaml')[index] ?? '') as Record<string, object>;
  const spec = 'spec' in part ? part['spec'] : { type: 'object', properties: part };
  const crd = structuredClone(widgetCrd) as unknown as { spec: { versions: object[] } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  crd.spec.versions = [{ name: 'v1', served: true, storage: true, schema }];
  const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, ...content };
  const paths = [write('crd.json', JSON.stringify(crd)), write('object.json', JSON.stringify(object))];
  const { out } = await runIlk(['validate', '--crds', ...paths], { cwd: folder });
  expect(out).toContain(`Widget a: ${blocksOf('schemas.md', '')[index]?.trim()}`);
});

test('audit.md, encryption.md: a server takes the files', async () => {
  const key = Buffer.alloc(32, 1).toString('base64');
  const policy = write('audit-policy.yaml', blocksOf('audit.md', 'yaml')[0] ?? '');
  const keys = write(
    'encryption.yaml',
    blocksOf('encryption.md', 'yaml')[0]?.replace(/<head .*>/, key) ?? '',
  );
  const server = new IlkProcess([
    ...[
      'serve',
      '--data-dir',
      join(folder, 'data'),
      '--secure-port',
      '0',
      '--audit-log-path',
      join(folder, 'audit.log'),
    ],
    ...['--audit-policy-file', policy, '--encryption-provider-config', keys],
  ]);
  await server.ready();
  server.kill('SIGTERM');
  expect((await server.ended()).code).toBe(0);
});

test('diff.md: a file that says what counts', async () => {
  const old = write('old.json', JSON.stringify(widgetCrd));
  const changed = write('new.json', JSON.stringify(widgetCrd).replace('"enum"', '"default":"red","enum"'));
  const config = write('diff.yaml', blocksOf('diff.md', 'yaml')[0] ?? '');
  const { out } = await runIlk(['diff', old, changed, '--config', config], { cwd: folder });
  expect(out).toMatch(/1 change, 0 breaking\n$/);
});

test('policy-tests.md: cases', async () => {
  cpSync(`${root}examples/policies`, join(folder, 'policies'), { recursive: true });
  write('policies/cases.yaml', blocksOf('policy-tests.md', 'yaml')[0] ?? '');
  const { out } = await runIlk(['test', 'policies'], { cwd: folder });
  expect(out).toMatch(/1 case: 1 passed, 0 failed, 0 errors\n$/);
});
