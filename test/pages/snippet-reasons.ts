/** Why no test runs a snippet, by page and by the beginning of the snippet. */
export const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'npm start': 'installs and builds the checkout; test/serve.test.ts starts the same server',
    'ilk is serving on': 'terminal output; test/serve.test.ts reads it',
    'npm install --save-dev': '`npm run check:package` installs the packed package',
    'npm test': 'runs this test',
  },
  'docs/index.md': {
    'npm start': 'installs and builds the checkout; test/serve.test.ts starts the same server',
  },
  'ARCHITECTURE.md': {
    ' 8  cli': 'a drawing; test/floors.test.ts compares it with the sources',
    'http/ ': 'a drawing',
    'storage/ ': 'a drawing',
  },
  'docs/access.md': {
    'widgets.example.com is forbidden': 'a response; test/access checks it',
  },
  'docs/apply.md': {
    'import { apply': 'a sketch for contributors with undefined names',
  },
  'docs/audit.md': {
    'I 2026-11-22': 'a log line; src/audit and test/access check such lines',
  },
  'docs/built-in-kinds.md': {
    'Deployment in version': 'a response; src/kinds checks it',
  },
  'docs/console.md': {
    'console: https': 'terminal output; the browser tests of the console follow the link',
  },
  'docs/encryption.md': {
    'apiVersion: apiserver.config.k8s.io': 'site/test/fragments.test.ts starts a server with it',
    '    providers:': 'needs a plugin; test/storage/kms.test.ts has one',
  },
  'docs/etcd.md': {
    '$ ilk serve --etcd-servers':
      'needs three hosts and a load balancer; test/storage/etcd-example.test.ts starts them on one host',
    '$ ./make-certificates.sh':
      'needs three hosts and a load balancer; test/storage/etcd-example.test.ts starts them on one host',
    '$ etcdctl role add': 'test/storage/etcd-access.test.ts creates such a role',
    '$ ilk migrate': 'docs/tasks/migrate-from-etcd.md and test/storage/migrate.test.ts run it',
  },
  'docs/feature-gates.md': {
    '  customFeatureGates:': 'a part of the CRD in examples/feature-gates, which test/feature-gates runs',
    'color:': 'a part of the CRD in examples/feature-gates, which test/feature-gates runs',
  },
  'docs/fuzzing.md': {
    'npm run fuzz': 'takes minutes; test/fuzz runs a short form',
  },
  'docs/soak.md': {
    'npm run soak': 'takes an hour; test/soak runs a short form',
  },
  'docs/postgres.md': {
    '$ ilk serve --postgres':
      'needs a host of its own; test/storage/postgres-access.test.ts starts such a server',
    'GRANT USAGE': 'src/storage/postgres/postgres-faults.test.ts grants it',
    '-- The age': 'queries for operators of a running database',
  },
  'docs/workers.md': {
    'ilk serve --workers': 'needs a newer Node than the oldest; test/workers starts such servers there',
  },
  'docs/testing.md': {
    '$ npx ilk envtest-assets': 'docs/tasks/test-in-go.md runs it',
  },
  'docs/tasks/monitor.md': {
    '# prometheus.yml': 'needs Prometheus; test/deploy/monitoring.test.ts checks the rules with a server',
  },
  'docs/tasks/run-in-a-cluster.md': {
    'helm install': 'needs a cluster; test/deploy/chart.test.ts renders the chart with these values',
  },
  'docs/tasks/run-in-docker.md': {
    'docker build':
      'needs a container builder; `npm run check:image` builds and runs the image with such commands, or runs its steps in clean folders',
    'docker run': 'needs a container builder; src/cli and test/serve.test.ts pass such flags',
    'docker exec': 'needs a container builder; `npm run check:image` runs Node in the container',
  },
  'docs/tasks/run-on-systemd.md': {
    'npm install --global':
      'changes the machine; test/deploy/image.test.ts checks the unit and its flags with systemd',
    kubectl: 'changes the machine; test/deploy/image.test.ts checks the unit and its flags with systemd',
    '# /etc/systemd':
      'changes the machine; test/deploy/image.test.ts checks the unit and its flags with systemd',
  },
  'docs/tasks/test-in-go.md': {
    '# .github': 'a GitHub workflow with the commands above',
  },
  'docs/tasks/validate-in-ci.md': {
    '# .github': 'a GitHub workflow; test/deploy/action.test.ts runs the action',
    '# crds/': 'a file for the commands that site/test/tasks.test.ts runs',
    '# manifests/': 'a file for the commands that site/test/tasks.test.ts runs',
    '# next/': 'a file for the commands that site/test/tasks.test.ts runs',
  },
};
