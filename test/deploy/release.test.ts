import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import {
  manifestFields,
  originOf,
  repositoryOf,
  withAbsoluteLinks,
} from '../../scripts/release/repository.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ilk-release-'));
afterAll(() => rmSync(folder, { recursive: true }));

const roses = { owner: 'garden', name: 'roses.js' };

test.each([
  'https://github.com/garden/roses.js',
  'https://github.com/garden/roses.js.git',
  'https://github.com/garden/roses.js/',
  'https://x-access-token:secret@github.com/garden/roses.js.git',
  'http://GitHub.com/garden/roses.js.git',
  'git@github.com:garden/roses.js.git',
  'github.com:garden/roses.js',
  'ssh://git@github.com/garden/roses.js.git',
  'ssh://git@github.com:22/garden/roses.js',
  'git://github.com/garden/roses.js.git',
  'git+https://github.com/garden/roses.js.git',
  'git+ssh://git@github.com/garden/roses.js.git\n',
])('%j is an address of the repository', (address) => {
  expect(repositoryOf(address)).toEqual(roses);
});

test.each([
  ['https://example.com/garden/roses.git', 'https://example.com/garden/roses.git'],
  ['https://me:secret@example.com/garden/roses.git', 'https://example.com/garden/roses.git'],
  ['https://github.com.example.com/garden/roses', 'https://github.com.example.com/garden/roses'],
  ['https://example.com/github.com/garden/roses', 'https://example.com/github.com/garden/roses'],
  ['https://github.com/garden', 'https://github.com/garden'],
  ['https://github.com/garden/roses/tree/main', 'https://github.com/garden/roses/tree/main'],
  ['https://github.com/garden/..', 'https://github.com/garden/..'],
  ['../roses', '../roses'],
  ['', ''],
])('%j is refused', (address, shown) => {
  const text = `the remote origin is ${shown}, which is no repository on GitHub: npm needs the repository for provenance`;
  expect(() => repositoryOf(address)).toThrow(new Error(text));
});

test('a checkout says where its sources are, or that it does not know', () => {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  git('init', '--quiet');
  expect(() => originOf(folder)).toThrow(
    new Error('Git has no remote origin: npm needs the repository for provenance'),
  );
  git('remote', 'add', 'origin', 'git@github.com:garden/roses.js.git');
  expect(originOf(folder)).toEqual(roses);
});

test('a release without an origin, a tag and its section of the changelog publishes nothing', () => {
  const checkout = join(folder, 'checkout');
  cpSync(join(root, 'scripts/release.mjs'), join(checkout, 'scripts/release.mjs'));
  cpSync(join(root, 'scripts/release'), join(checkout, 'scripts/release'), { recursive: true });
  writeFileSync(join(checkout, 'package.json'), '{"name":"roses","version":"1.2.3","license":"Apache-2.0"}');
  writeFileSync(join(checkout, 'CHANGELOG.md'), '## Unreleased\n');
  const git = (...args: string[]) => spawnSync('git', args, { cwd: checkout, encoding: 'utf8' });
  git('init', '--quiet');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  git(...author, 'commit', '--quiet', '--allow-empty', '-m', 'roses');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, 'scripts/release.mjs')], {
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([
    1,
    `release: there are changes that are not committed
release: CHANGELOG.md has no section 1.2.3
release: the commit has no tag v1.2.3
release: Git has no remote origin: npm needs the repository for provenance
`,
    'release: nothing was published\n',
  ]);
});

test('the manifest gets the fields that registries read', () => {
  expect(manifestFields(roses)).toEqual({
    homepage: 'https://github.com/garden/roses.js#readme',
    bugs: { url: 'https://github.com/garden/roses.js/issues' },
    repository: { type: 'git', url: 'git+https://github.com/garden/roses.js.git' },
  });
});

test('links and pictures lead to the tag; what is absolute, an anchor or code stays', () => {
  const page = [
    '[`ilk serve`](docs/cli.md#serve), [all](./docs/), [here](#here), [there](https://example.com/x)',
    '![a picture](docs/a.png) [![b](docs/b.svg)](docs/b.md)',
    '<source srcset="docs/dark.png"><img alt="x" src="docs/light.png"><img src="https://example.com/x.png">',
    '`[code](docs/cli.md)`',
    '```\n[code](docs/cli.md)\n```',
  ];
  const blob = 'https://github.com/garden/roses.js/blob/v1.2.3';
  const raw = 'https://raw.githubusercontent.com/garden/roses.js/v1.2.3';
  expect(withAbsoluteLinks(page.join('\n'), roses, 'v1.2.3').split('\n')).toEqual([
    `[\`ilk serve\`](${blob}/docs/cli.md#serve), [all](https://github.com/garden/roses.js/tree/v1.2.3/docs/), [here](#here), [there](https://example.com/x)`,
    `![a picture](${raw}/docs/a.png) [![b](${raw}/docs/b.svg)](${blob}/docs/b.md)`,
    `<source srcset="${raw}/docs/dark.png"><img alt="x" src="${raw}/docs/light.png"><img src="https://example.com/x.png">`,
    '`[code](docs/cli.md)`',
    '```',
    '[code](docs/cli.md)',
    '```',
  ]);
});

test('the page of Ilk has no relative link left', () => {
  const page = withAbsoluteLinks(readFileSync(join(root, 'README.md'), 'utf8'), roses, 'v1.2.3');
  const targets = [
    ...page.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"|^\[[^\]]+\]: *(\S+)/gm),
  ].map(([, link, attribute, reference]) => link ?? attribute ?? reference ?? '');
  expect(targets.length).toBeGreaterThan(50);
  expect(targets.filter((target) => !/^(https:\/\/|#)/.test(target))).toEqual([]);
});
