/** What runs the snippets of a page: those in these languages. */
interface SnippetRun {
  readonly page: string;
  readonly languages: readonly string[];
  readonly by: string;
}

/** A snippet that nothing runs, by how it begins. */
interface SnippetExcuse {
  readonly page: string;
  readonly begins: string;
  readonly why: string;
}

const tasks = 'site/test/tasks.test.ts';
const rooms = 'site/test/rooms.test.ts';
const languages = 'site/test/languages.test.ts';
const fragments = 'site/test/fragments.test.ts';
const typescript = 'site/test/typescript.test.ts';

const run = (page: string, by: string, ...languagesOfPage: string[]): SnippetRun => ({
  page,
  by,
  languages: languagesOfPage,
});

/** `''` is the language of a block that names none. */
export const runs: readonly SnippetRun[] = [
  run('README.md', 'test/tutorial.test.ts', 'console'),
  run('README.md', typescript, 'ts'),
  run('docs/index.md', typescript, 'ts'),
  run('docs/team.md', 'test/access/team-guide.test.ts', 'console', 'sh', 'yaml'),
  run('docs/feature-gates.md', 'test/feature-gates/feature-gates-guide.test.ts', 'console'),
  run('docs/versions.md', 'test/versions/versions-guide.test.ts', 'console', 'sh'),
  run('docs/testing.md', 'test/testing/testing-page.test.ts', 'ts'),
  run('docs/cel.md', 'src/cel/example.test.ts', 'js'),
  run('docs/schemas.md', 'src/schema/example.test.ts', 'ts'),
  run('docs/tasks/validate-in-ci.md', tasks, 'console'),
  run('docs/tasks/secure.md', tasks, 'console', 'yaml'),
  run('docs/tasks/monitor.md', tasks, 'console'),
  run('docs/tasks/upgrade.md', tasks, 'console'),
  run('docs/tasks/migrate-from-etcd.md', tasks, 'console'),
  run('docs/tasks/test-in-typescript.md', tasks, 'console', 'ts', 'yaml'),
  run('docs/tasks/test-in-go.md', tasks, 'console'),
  run('docs/tasks/test-in-python.md', languages, 'console', 'python'),
  run('docs/tasks/test-in-java.md', languages, 'console'),
  run('docs/tasks/test-in-rust.md', languages, 'console'),
  run('docs/access.md', rooms, 'console'),
  run('docs/admission.md', rooms, 'yaml', 'sh', 'text'),
  run('docs/admission.md', typescript, 'ts'),
  run('docs/backup.md', rooms, 'console'),
  run('docs/built-in-kinds.md', rooms, 'sh'),
  run('docs/controllers.md', rooms, 'sh'),
  run('docs/diff.md', rooms, 'sh', 'text'),
  run('docs/field-selectors.md', rooms, 'sh'),
  run('docs/flow-control.md', rooms, 'console'),
  run('docs/playground.md', rooms, 'sh'),
  run('docs/policy-tests.md', rooms, 'sh', 'text'),
  run('docs/simulate.md', rooms, 'console'),
  run('docs/simulate.md', typescript, 'ts'),
  run('docs/storage.md', rooms, 'console', 'sh'),
  run('docs/types.md', rooms, 'sh'),
  run('docs/validate.md', rooms, 'sh', 'text'),
  run('docs/schemas.md', fragments, 'yaml', ''),
  run('docs/audit.md', fragments, 'yaml'),
  run('docs/diff.md', fragments, 'yaml'),
  run('docs/policy-tests.md', fragments, 'yaml'),
  // Made from the commands, which the test compares.
  run('docs/reference/cli.md', 'src/cli/cli-reference.test.ts', ''),
];

const excuse = (page: string, begins: string, why: string): SnippetExcuse => ({ page, begins, why });

export const excuses: readonly SnippetExcuse[] = [
  excuse(
    'README.md',
    'npm start',
    'it installs and builds the checkout; test/serve.test.ts starts what it starts',
  ),
  excuse(
    'docs/index.md',
    'npm start',
    'it installs and builds the checkout; test/serve.test.ts starts what it starts',
  ),
  excuse('README.md', 'ilk is serving on', 'what a terminal shows; test/serve.test.ts reads it'),
  excuse('README.md', 'npm install --save-dev', '`npm run check:package` installs the packed package'),
  excuse('README.md', 'npm test', 'it runs this'),
  excuse('ARCHITECTURE.md', ' 8  cli', 'a drawing; test/floors.test.ts compares it with the sources'),
  excuse('ARCHITECTURE.md', 'http/ ', 'a drawing'),
  excuse('ARCHITECTURE.md', 'storage/ ', 'a drawing'),
  excuse('docs/access.md', 'widgets.example.com is forbidden', 'an answer; test/access has it'),
  excuse(
    'docs/apply.md',
    'import { apply',
    'a sketch for contributors: its names stand for what a caller has',
  ),
  excuse('docs/audit.md', 'I 2026-11-22', 'a line of a log; src/audit and test/access have such lines'),
  excuse('docs/built-in-kinds.md', 'Deployment in version', 'an answer; src/kinds has it'),
  excuse(
    'docs/console.md',
    'console: https',
    'a line of a terminal; the stories of the console follow the link',
  ),
  excuse(
    'docs/encryption.md',
    'apiVersion: apiserver.config.k8s.io',
    'site/test/fragments.test.ts starts a server with it',
  ),
  excuse('docs/encryption.md', '    providers:', 'it takes a plugin; test/storage/kms.test.ts has one'),
  excuse(
    'docs/etcd.md',
    '$ ilk serve --etcd-servers',
    'it takes three hosts and a load balancer; test/storage/etcd-example.test.ts starts them on one',
  ),
  excuse(
    'docs/etcd.md',
    '$ ./make-certificates.sh',
    'it takes three hosts and a load balancer; test/storage/etcd-example.test.ts starts them on one',
  ),
  excuse('docs/etcd.md', '$ etcdctl role add', 'test/storage/etcd-access.test.ts gives a tenant such a role'),
  excuse(
    'docs/etcd.md',
    '$ ilk migrate',
    'docs/tasks/migrate-from-etcd.md and test/storage/migrate.test.ts do it',
  ),
  excuse(
    'docs/feature-gates.md',
    '  customFeatureGates:',
    'a part of a CRD; examples/feature-gates has it whole, and test/feature-gates runs that',
  ),
  excuse(
    'docs/feature-gates.md',
    'color:',
    'a part of a CRD; examples/feature-gates has it whole, and test/feature-gates runs that',
  ),
  excuse('docs/fuzzing.md', 'npm run fuzz', 'minutes each; test/fuzz runs a short form'),
  excuse('docs/soak.md', 'npm run soak', 'an hour; test/soak runs a short form'),
  excuse(
    'docs/postgres.md',
    '$ ilk serve --postgres',
    'it takes a host of its own; test/storage/postgres-access.test.ts starts a server so',
  ),
  excuse('docs/postgres.md', 'GRANT USAGE', 'src/storage/postgres/postgres-faults.test.ts grants it'),
  excuse('docs/postgres.md', '-- The age', 'questions for people who look at a database at work'),
  excuse('docs/testing.md', '$ npx ilk envtest-assets', 'docs/tasks/test-in-go.md does it'),
  excuse(
    'docs/tasks/monitor.md',
    '# prometheus.yml',
    'for Prometheus, which is not there; test/deploy/monitoring.test.ts holds the rules against a server',
  ),
  excuse(
    'docs/tasks/run-in-a-cluster.md',
    'helm install',
    'it takes a cluster; test/deploy/chart.test.ts renders the chart with these values',
  ),
  excuse(
    'docs/tasks/run-in-docker.md',
    'docker build',
    'it takes a container builder; scripts/check-image.mjs builds the image, or runs its steps in clean folders',
  ),
  excuse(
    'docs/tasks/run-in-docker.md',
    'docker run',
    'it takes a container builder; scripts/check-image.mjs builds the image, or runs its steps in clean folders',
  ),
  excuse(
    'docs/tasks/run-on-systemd.md',
    'npm install --global',
    'it changes the machine; test/deploy/image.test.ts lets systemd check the unit, and its flags',
  ),
  excuse(
    'docs/tasks/run-on-systemd.md',
    'kubectl',
    'it changes the machine; test/deploy/image.test.ts lets systemd check the unit, and its flags',
  ),
  excuse(
    'docs/tasks/run-on-systemd.md',
    '# /etc/systemd',
    'it changes the machine; test/deploy/image.test.ts lets systemd check the unit, and its flags',
  ),
  excuse('docs/tasks/test-in-go.md', '# .github', 'a workflow of GitHub, whose commands are those above'),
  excuse(
    'docs/tasks/validate-in-ci.md',
    '# .github',
    'a workflow of GitHub; test/deploy/action.test.ts runs the action',
  ),
  excuse(
    'docs/tasks/validate-in-ci.md',
    '# crds/',
    'a file of the commands that site/test/tasks.test.ts runs',
  ),
  excuse(
    'docs/tasks/validate-in-ci.md',
    '# manifests/',
    'a file of the commands that site/test/tasks.test.ts runs',
  ),
  excuse(
    'docs/tasks/validate-in-ci.md',
    '# next/',
    'a file of the commands that site/test/tasks.test.ts runs',
  ),
];
