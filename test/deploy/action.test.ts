import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIfMissing } from '../fixtures/ilk-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'ilk-action-'));

interface Action {
  readonly inputs: Record<string, { readonly default?: string; readonly description: string }>;
  readonly runs: {
    readonly steps: readonly { readonly run: string; readonly env: Record<string, string> }[];
  };
}
const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;

const garden = (rows: unknown) =>
  `apiVersion: example.com/v1\nkind: Garden\nmetadata: { name: roses }\nspec: { rows: ${rows} }\n`;

beforeAll(() => {
  buildIfMissing();
  cpSync(join(root, 'examples/typescript-controller/config/crd'), join(project, 'crds'), { recursive: true });
  mkdirSync(join(project, 'manifests'));
  writeFileSync(join(project, 'manifests/good.yaml'), garden(3));
  writeFileSync(join(project, 'bad.yaml'), garden(99));
});
afterAll(() => rmSync(project, { recursive: true }));

/** Runs the step of the action as GitHub does, with this checkout in place of the package. */
function run(inputs: Record<string, string>) {
  const [step] = action.runs.steps;
  const given = (name: string) => inputs[name] ?? action.inputs[name]?.default ?? '';
  const env = Object.entries(step?.env ?? {}).map(([name, value]) => [
    name,
    value.replace(/\$\{\{ inputs\.(\w+) \}\}/, (_, input) => given(input)),
  ]);
  const ilk = `${process.execPath} ${join(root, 'bin/ilk')}`;
  const script = (step?.run ?? '').replace('npx --yes --package "$package" -- ilk', ilk);
  expect(script).toContain(ilk);
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
    cwd: project,
    env: { ...process.env, ...Object.fromEntries(env) },
    encoding: 'utf8',
  });
  return { status, out: stdout + stderr };
}

test('manifests that are valid pass', () => {
  const { status, out } = run({ paths: 'manifests', crds: 'crds' });
  expect([status, out]).toEqual([0, expect.not.stringContaining('::error')]);
});

test('what is not valid is an annotation on its line', () => {
  const { status, out } = run({ paths: 'manifests\nbad.yaml', crds: 'crds' });
  expect(status).toBe(1);
  expect(out).toMatch(/^::error file=bad\.yaml,line=\d+.*spec\.rows/m);
});

test('a CRD that breaks what is stored is an annotation, too', () => {
  const [file = ''] = ['garden.yaml', 'gardens.yaml', 'gardens.example.com.yaml'].filter((name) => {
    try {
      readFileSync(join(project, 'crds', name));
      return true;
    } catch {
      return false;
    }
  });
  const text = readFileSync(join(project, 'crds', file), 'utf8');
  mkdirSync(join(project, 'after'), { recursive: true });
  writeFileSync(join(project, 'after', file), text.replace('maximum: 12', 'maximum: 2'));
  const { status, out } = run({ command: 'diff', paths: 'crds\nafter' });
  expect([status, out]).toEqual([1, expect.stringMatching(/^::error /m)]);
});

test('CRDs are compared with those of another revision, as on a pull request', () => {
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: project });
  git('init', '--quiet');
  git('add', 'crds');
  git('commit', '--quiet', '-m', 'first');
  const { status, out } = run({ command: 'diff', paths: 'git:HEAD:crds\ncrds' });
  expect([status, out]).toEqual([0, expect.not.stringContaining('::error')]);
  const changed = run({ command: 'diff', paths: 'git:HEAD:crds\nafter' });
  expect([changed.status, changed.out]).toEqual([
    1,
    expect.stringMatching(/^::error file=after\/.*maximum/m),
  ]);
});

test('another command is refused', () => {
  const { status, out } = run({ command: 'serve', paths: '.' });
  expect([status, out]).toEqual([1, "::error::command: 'serve' is neither validate nor diff\n"]);
});
