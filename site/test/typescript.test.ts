import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIfMissing } from '../../test/fixtures/ilk-process.ts';

/** The TypeScript of these pages, in a project with CRDs in `config/crd` and objects in `deploy`. docs/testing.md has a test of its own. */
const pages = ['docs/index.md', 'README.md', 'docs/admission.md', 'docs/simulate.md'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'ilk-site-ts-'));
const programs = join(root, 'dist', `.site-${process.pid}`);
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;

beforeAll(() => {
  buildIfMissing();
  cpSync(join(root, 'examples/typescript-controller/config'), join(project, 'config'), { recursive: true });
  mkdirSync(join(project, 'deploy'));
  writeFileSync(join(project, 'deploy/web.yaml'), deployment);
  mkdirSync(programs, { recursive: true });
});
afterAll(() => {
  rmSync(project, { recursive: true });
  rmSync(programs, { recursive: true });
});

const blocks = pages.flatMap((page) =>
  [...readFileSync(root + page, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
    ([, source = ''], index) => ({
      page,
      index,
      source,
    }),
  ),
);

/** What a block takes for granted: the import of the block before it, and a CRD. */
function before(source: string): string {
  const lines = source.includes('import ') ? [] : [`import { startServer } from 'ilk-apiserver';`];
  if (source.includes('gardenCrd')) lines.push(`const gardenCrd = 'config/crd/gardens.yaml';`);
  return lines.join('\n');
}

test('there are some', () => {
  expect(blocks.map(({ page }) => page)).toEqual([
    'docs/index.md',
    'README.md',
    'README.md',
    'docs/admission.md',
    'docs/simulate.md',
  ]);
});

test.each(blocks)('$page $index', async ({ page, index, source }) => {
  const { code } = await transform(`${before(source)}\n${source}`, { loader: 'ts', target: 'node20' });
  const file = join(programs, `${page.replaceAll(/\W+/g, '-')}-${index}.mjs`);
  writeFileSync(file, code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: project });
  expect(stdout + stderr).toBe('');
});
