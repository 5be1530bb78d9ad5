import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';

/** `ilk serve --simulate-stages`. What stages do is tested in `test/controllers/simulate-stages.test.ts`. */

const folder = mkdtempSync(join(tmpdir(), 'ilk-stages-'));
const stages = join(folder, 'stages');
beforeAll(() => {
  buildIfMissing();
  mkdirSync(stages);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stageOf = (name: string, operator: string) => `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: ${name} }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchLabels: { app: staged }
    matchExpressions: [{ key: .status.phase, operator: ${operator}, values: [Pending] }]
  next:
    statusTemplate: |
      phase: Failed
      reason: Staged
`;
const pod = (name: string, labels: object) => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

function serve(...flags: string[]): IlkProcess {
  return new IlkProcess([
    'serve',
    '--secure-port=0',
    '--storage=memory',
    `--data-dir=${join(folder, 'data')}`,
    ...flags,
  ]);
}

test('simulates with the stages of a folder, and everything else by the usual rules', async () => {
  writeFileSync(join(stages, 'pods.yaml'), stageOf('pods-fail', 'In'));
  const server = serve(`--simulate-stages=${stages}`);
  const client = new HttpsClient((await server.ready()).kubeconfig);
  try {
    const pods = '/api/v1/namespaces/default/pods';
    await client.call('POST', pods, { body: pod('staged', { app: 'staged' }) });
    await client.call('POST', pods, { body: pod('usual', {}) });
    const statusOf = async (name: string) =>
      JSON.parse((await client.call('GET', `${pods}/${name}`)).body).status;
    await vi.waitFor(async () => {
      expect(await statusOf('staged')).toMatchObject({ phase: 'Failed', reason: 'Staged' });
      expect(await statusOf('usual')).toMatchObject({ phase: 'Running' });
    }, 20_000);
  } finally {
    client.close();
    server.kill('SIGTERM');
    await server.ended();
  }
});

test('a mistake in a file ends the start, with its place', async () => {
  const file = join(folder, 'mistake.yaml');
  writeFileSync(file, stageOf('broken', 'Equals'));
  const said = await Promise.all(
    [file, join(folder, 'none.yaml')].map((path) => serve(`--simulate-stages=${path}`).ended()),
  );
  const why = 'spec.selector.matchExpressions[0].operator: must be one of In, NotIn, Exists, DoesNotExist';
  expect(said).toEqual([
    { code: 1, out: '', err: `ilk: ${file}: Stage broken: ${why}\n` },
    {
      code: 1,
      out: '',
      err: `ilk: --simulate-stages ${join(folder, 'none.yaml')}: no such file or folder\n`,
    },
  ]);
});
