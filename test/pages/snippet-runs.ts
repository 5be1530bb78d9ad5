/** What runs the snippets of a page: those in these languages. */
interface SnippetRun {
  readonly page: string;
  readonly languages: readonly string[];
  readonly by: string;
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
  run('docs/simulate.md', 'src/controllers/stages/parse-stage.test.ts', 'yaml'),
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
