import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildIfMissing } from '../fixtures/ilk-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** A project as the page supposes it, and a folder of this package, where its own name means itself. */
const project = mkdtempSync(join(tmpdir(), 'ilk-page-'));
const programs = join(root, 'dist', `.page-${process.pid}`);
const roses = {
  apiVersion: 'example.com/v1',
  kind: 'Garden',
  metadata: { name: 'roses' },
  spec: { rows: 3 },
  status: { planted: 3 },
};

beforeAll(() => {
  buildIfMissing();
  cpSync(join(root, 'examples/typescript-controller/config'), join(project, 'config'), { recursive: true });
  mkdirSync(join(project, 'test/fixtures'), { recursive: true });
  writeFileSync(join(project, 'test/fixtures/roses.json'), JSON.stringify(roses));
  mkdirSync(programs, { recursive: true });
});
afterAll(() => {
  rmSync(project, { recursive: true });
  rmSync(programs, { recursive: true });
});

interface Block {
  readonly section: string;
  readonly runner: string;
  readonly source: string;
}

/** The TypeScript of a page, with the heading above it. */
function blocksOf(page: string): Block[] {
  const sections = page.split(/^#+ /m).slice(1);
  return sections.flatMap((text) => {
    const section = text.split('\n')[0] ?? '';
    return [...text.matchAll(/```ts ?([\w:]*)\n([\s\S]*?)```/g)].map(([, runner = '', source = '']) => ({
      section,
      runner,
      source,
    }));
  });
}

async function execute({ section, runner, source }: Block): Promise<string> {
  const { code } = await transform(source, { loader: 'ts', target: 'node20' });
  const file = join(programs, `${section.replaceAll(/\W+/g, '-')}.mjs`);
  writeFileSync(file, code);
  const flags = runner === 'node:test' ? ['--test-reporter=tap'] : [];
  const { stdout, stderr } = await run(process.execPath, [...flags, file], { cwd: project });
  return stdout + stderr;
}

describe('the examples of docs/testing.md', () => {
  const blocks = blocksOf(readFileSync(join(root, 'docs/testing.md'), 'utf8'));
  const plain = blocks.filter(({ runner }) => runner === '');

  test('there are some, and the one for Vitest is what test/testing/testing.test.ts does', () => {
    expect(blocks.map(({ section }) => section)).toEqual([
      'A server',
      'One server, a fork for each test',
      'Vitest',
      'node:test, Jest',
      'Users',
      'Time',
      'Conversion webhooks',
      'Faults',
    ]);
    expect(blocks.filter(({ runner }) => runner === 'vitest')).toHaveLength(1);
  });

  test.each(plain)('$section', async (block) => {
    expect(await execute(block)).toBe('');
  });

  test('node:test', async () => {
    const block = blocks.find(({ runner }) => runner === 'node:test');
    expect(block && (await execute(block))).toMatch(/^# pass 1$/m);
  });
});
