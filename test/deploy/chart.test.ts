import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/library/index.ts';

/** helm is a Go module, helm.sh/helm/v3/cmd/helm: scripts/build-helm.sh builds it where Go is. */
const helm = process.env['ILK_TEST_HELM'] ?? 'helm';
const hasHelm = spawnSync(helm, ['version']).status === 0;
const chart = fileURLToPath(new URL('../../deploy/chart', import.meta.url));

interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Record<string, unknown>;
}

function template(...values: string[]): { readonly objects: Rendered[]; readonly err: string } {
  const sets = values.flatMap((value) => ['--set', value]);
  const { stdout, stderr } = spawnSync(
    helm,
    ['template', 'ilk', chart, '--kube-version', '1.37.0', ...sets],
    { encoding: 'utf8' },
  );
  return { objects: loadAll(stdout).filter((one) => one !== null) as Rendered[], err: stderr };
}

const several = ['tls.secretName=ilk-tls', 'serviceAccountKey.secretName=ilk-key'];
const etcd = [
  'storage.kind=etcd',
  'storage.etcd.servers=https://etcd:2379',
  'storage.etcd.secretName=etcd',
  ...several,
];
const postgres = [
  'storage.kind=postgres',
  'storage.postgres.url=postgres://ilk@db/ilk',
  'storage.postgres.secretName=db',
  ...several,
];
const resources: Record<string, string> = {
  Deployment: '/apis/apps/v1/namespaces/default/deployments',
  StatefulSet: '/apis/apps/v1/namespaces/default/statefulsets',
  PodDisruptionBudget: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  Service: '/api/v1/namespaces/default/services',
};

describe.skipIf(!hasHelm)('the chart', () => {
  let server: IlkServer;
  beforeAll(async () => {
    server = await startServer({ simulate: true, listen: { tls: true } });
  });
  afterAll(() => server.close());

  test.each([
    ['one server on a volume', [], ['Service', 'StatefulSet']],
    ['three on an etcd', etcd, ['PodDisruptionBudget', 'Service', 'Deployment']],
    ['three on a PostgreSQL', postgres, ['PodDisruptionBudget', 'Service', 'Deployment']],
  ])('%s: a server takes each object, by all its rules', async (_, values, kinds) => {
    const { objects, err } = template(...values);
    expect(err).toBe('');
    expect(objects.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
    for (const object of objects) {
      const url = `${resources[object.kind]}?dryRun=All&fieldValidation=Strict`;
      const headers = { 'content-type': 'application/json' };
      const answer = await server.fetch(url, { method: 'POST', headers, body: JSON.stringify(object) });
      expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
    }
  });

  test.each([
    [['storage.kind=redis', ...several], 'storage.kind: "redis" is none of sqlite, etcd, postgres'],
    [['storage.kind=etcd', ...several], 'storage.etcd.servers: where the etcd listens'],
    [etcd.slice(0, 3), 'tls.secretName: several servers need one certificate'],
  ])('%j is refused with what is missing', (values, message) => {
    expect(template(...values).err).toContain(message);
  });

  test('helm installs it with --wait: the workloads are simulated', async () => {
    const env = { ...process.env, KUBECONFIG: server.kubeconfigPath };
    const args = ['install', 'ilk', chart, '--wait', '--timeout', '60s'];
    // Not at once with the server, which is in this process.
    const { execFile } = await import('node:child_process');
    const said = await new Promise<string>((resolve) => {
      execFile(helm, args, { env }, (error, stdout, stderr) =>
        resolve(`${error === null ? stdout : stderr}`),
      );
    });
    expect(said).toContain('STATUS: deployed');
    const set = await (await server.fetch('/apis/apps/v1/namespaces/default/statefulsets/ilk')).json();
    expect(set).toMatchObject({ status: { readyReplicas: 1 } });
  });
});
