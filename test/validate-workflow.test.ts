import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIfMissing } from './fixtures/ilk-process.ts';
import { crdOf, versionOf } from './fixtures/crd.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'ilk-workflow-'));

interface Workflow {
  readonly jobs: { readonly validate: { readonly steps: readonly { readonly run?: string }[] } };
}

/** The commands of examples/validate-manifests.yml, with this checkout instead of the package, and folders of our own. */
function commands(): string[] {
  const { jobs } = load(readFileSync(join(root, 'examples/validate-manifests.yml'), 'utf8')) as Workflow;
  const ilk = `${process.execPath} ${join(root, 'bin/ilk')}`;
  return jobs.validate.steps.flatMap(({ run }) => {
    if (run === undefined) return [];
    const here = run.replace('npx --yes --package ilk-apiserver -- ilk', ilk);
    return [
      here
        .replaceAll('/tmp/before', join(project, 'before'))
        .replace(/origin\/\$\{\{ github\.base_ref \}\}/g, 'base'),
    ];
  });
}

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: project });

const garden = (rows: number) =>
  `apiVersion: example.com/v1\nkind: Garden\nmetadata: { name: roses }\nspec: { rows: ${rows} }\n`;

const spec = {
  type: 'object',
  properties: { rows: { type: 'integer' } },
  'x-kubernetes-validations': [{ rule: 'self.rows >= oldSelf.rows', message: 'gardens only grow' }],
};
const crd = crdOf('Garden', { versions: [versionOf({ spec })] });

beforeAll(() => {
  buildIfMissing();
  for (const folder of ['crds', 'manifests']) mkdirSync(join(project, folder));
  writeFileSync(join(project, 'crds/gardens.json'), JSON.stringify(crd));
  writeFileSync(join(project, 'manifests/roses.yaml'), garden(3));
  git('init', '--quiet', '--initial-branch=base');
  git('add', '.');
  git('commit', '--quiet', '--message=roses');
});
afterAll(() => rmSync(project, { recursive: true }));

function runWorkflow(): { readonly code: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands().join('\n')], {
    cwd: project,
    encoding: 'utf8',
  });
  return { code: status, said: stdout + stderr };
}

test('the workflow takes a change that is allowed, and refuses one that is not', () => {
  writeFileSync(join(project, 'manifests/roses.yaml'), garden(4));
  expect(runWorkflow()).toMatchObject({ code: 0 });
  writeFileSync(join(project, 'manifests/roses.yaml'), garden(2));
  const { code, said } = runWorkflow();
  expect([code, said]).toEqual([1, expect.stringContaining('gardens only grow')]);
});
