/**
 * The pages of the site in their order: tasks before rooms. Paths are those of the repository, without `.md`; titles are
 * the pages' own unless one is given here.
 */
export const outline = [
  { text: 'Start', items: [['docs/index', 'What Ilk is'], 'README'] },
  {
    text: 'Test a controller',
    items: [
      ['docs/tasks/test-in-go', 'In Go'],
      ['docs/tasks/test-in-typescript', 'In TypeScript'],
      ['docs/tasks/test-in-python', 'In Python'],
      ['docs/tasks/test-in-java', 'In Java'],
      ['docs/tasks/test-in-rust', 'In Rust'],
      ['docs/testing', 'Servers, forks, faults, time'],
      'docs/simulate',
    ],
  },
  {
    text: 'Check in CI',
    items: [
      'docs/tasks/validate-in-ci',
      ['docs/validate', 'ilk validate'],
      ['docs/diff', 'ilk diff'],
      ['docs/policy-tests', 'ilk test'],
      ['docs/types', 'ilk types'],
      'docs/sources',
    ],
  },
  {
    text: 'Run it',
    items: [
      ['docs/deploy', 'Which way to run it'],
      ['docs/tasks/run-in-docker', 'In Docker'],
      ['docs/tasks/run-on-systemd', 'On systemd'],
      ['docs/tasks/run-in-a-cluster', 'In a cluster'],
      ['docs/team', 'For a team'],
      ['docs/tasks/secure', 'Secure'],
      ['docs/tasks/monitor', 'Monitor'],
      ['docs/backup', 'Back up and restore'],
      'docs/tasks/upgrade',
      'docs/tasks/migrate-from-etcd',
    ],
  },
  { text: 'When something fails', items: ['docs/troubleshooting'] },
  {
    text: 'Definitions',
    items: [
      'docs/crds',
      'docs/schemas',
      'docs/cel',
      'docs/versions',
      'docs/subresources',
      'docs/feature-gates',
      'docs/field-selectors',
      'docs/built-in-kinds',
      'docs/openapi',
    ],
  },
  {
    text: 'The server',
    items: [
      'docs/apply',
      'docs/watch',
      'docs/admission',
      'docs/controllers',
      'docs/access',
      'docs/audit',
      'docs/encryption',
      'docs/flow-control',
      'docs/workers',
      'docs/storage',
      'docs/etcd',
      'docs/postgres',
      'docs/console',
      'docs/playground',
    ],
  },
  {
    text: 'Reference',
    items: [
      'docs/reference/cli',
      ['docs/reference/api/index', 'API of the package'],
      'docs/reference/limits',
      'docs/reference/feature-gates',
      'docs/benchmarks',
      'CHANGELOG',
    ],
  },
  {
    text: 'Inside',
    items: [
      'ARCHITECTURE',
      'CONTRIBUTING',
      'docs/fuzzing',
      'docs/soak',
      ['docs/decisions/index', 'Decisions'],
    ],
  },
];

/** @returns {string[]} the repository's paths of all pages that the outline names, without `.md` */
export function outlinedPages() {
  return outline.flatMap(({ items }) => items.map((item) => (typeof item === 'string' ? item : item[0])));
}
