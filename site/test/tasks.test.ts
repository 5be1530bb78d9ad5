import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe } from 'vitest';
import { EtcdProcess, etcdBinaries } from '../../src/storage/etcd/etcd-process.test-support.ts';
import { followPage, startServer } from './story.ts';

/** The tasks of docs/, followed word for word. test/pages/snippets.test.ts lists what is run elsewhere. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = 'the package and its peers of the checkout stand for what a registry has';

followPage('tasks/validate-in-ci.md');
followPage('tasks/secure.md', { polled: /^(kubectl auth can-i|grep)/ });
followPage('tasks/monitor.md', { polled: /^curl/ });
followPage('tasks/upgrade.md', {
  before: (_, shell) => startServer(shell, 'ilk serve --data-dir ilk-data'),
});
followPage('tasks/test-in-typescript.md', {
  skip: { 'npm install': installed },
  variables: { CI: 'true', NO_COLOR: '1' },
  before: async (folder) => {
    symlinkSync(`${root}node_modules/vitest`, join(folder, 'node_modules/vitest'));
    symlinkSync(`${root}node_modules/vitest/vitest.mjs`, join(folder, 'node_modules/.bin/vitest'));
  },
});

describe.skipIf(etcdBinaries.length === 0)('with an etcd', () => {
  let etcd: EtcdProcess | undefined;
  afterAll(() => etcd?.[Symbol.asyncDispose]());
  followPage('tasks/migrate-from-etcd.md', {
    polled: /^kubectl get gardens$/,
    before: async (_, shell) => {
      etcd = await EtcdProcess.start();
      await shell.run(`export ETCD=${etcd.url}`);
      await startServer(shell, 'ilk serve --etcd-servers $ETCD --data-dir server-files');
      await shell.run('export KUBECONFIG=$PWD/server-files/admin.kubeconfig');
      await shell.run(`kubectl apply -f ${root}examples/tutorial/crd.yaml`);
      await shell.run('kubectl wait --for=condition=Established crd/gardens.example.com');
      await shell.run(`kubectl apply -f ${root}examples/tutorial/garden.yaml`);
      await shell.run('kill %1; wait; rm serve.log');
    },
  });
});

followPage('tasks/test-in-go.md', {
  skip: { 'npm install': installed, 'go test': 'the step "Go example" of .ci/run, where Go is' },
});
