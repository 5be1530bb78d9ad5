import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { featureGates } from '../src/meta/index.ts';
import { buildIfMissing, IlkProcess } from './fixtures/ilk-process.ts';
import { type RunIlk, runIlk } from './cli/run-ilk.ts';
import { widgetCrd } from './fixtures/widgets.ts';

const root = mkdtempSync(join(tmpdir(), 'ilk-commands-'));
beforeAll(buildIfMissing);
afterAll(() => rmSync(root, { recursive: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};

const ilk = (args: readonly string[], options: Omit<RunIlk, 'cwd'> = {}) =>
  runIlk(args, { cwd: root, ...options });

const widget = (name: string, color: string) =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\nspec: {color: ${color}}\n`;

describe('what goes wrong is said in one line, at once', () => {
  test('usage of diff: 2, as trouble is', async () => {
    expect((await ilk(['diff'])).code).toBe(2);
    expect(await ilk(['diff', '--nonsense'])).toMatchObject({
      code: 2,
      err: expect.stringContaining("error: unknown option '--nonsense'"),
    });
    expect((await ilk(['diff', '--help'])).code).toBe(0);
  });

  test('test: 0 where all cases pass, 1 where one does not, 2 for usage', async () => {
    const examples = fileURLToPath(new URL('../examples/policies', import.meta.url));
    const { code, out } = await ilk(['test', examples]);
    expect([code, out.split('\n').at(-2)]).toEqual([0, '6 cases: 6 passed, 0 failed, 0 errors']);
    file(
      'failing-cases.yaml',
      `apiVersion: ilk/v1
kind: PolicyTest
cases:
- name: nobody denies
  object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
  expect: {verdict: deny}
`,
    );
    expect(
      await ilk([
        'test',
        'failing-cases.yaml',
        '--policies',
        `${examples}/crd.yaml`,
        '--policies',
        `${examples}/policies.yaml`,
      ]),
    ).toEqual({
      code: 1,
      out: 'failing-cases.yaml:4: FAILED: nobody denies: expected deny, got allow\n1 case: 0 passed, 1 failed, 0 errors\n',
      err: '',
    });
    expect(await ilk(['test', 'failing-cases.yaml'])).toEqual({
      code: 2,
      out: '',
      err: 'ilk: .: no admission policy beside the cases\n',
    });
    expect(await ilk(['test'])).toMatchObject({ code: 2, out: '' });
    expect(await ilk(['test', '--nonsense'])).toMatchObject({ code: 2, out: '' });
    expect(await ilk(['test', 'nowhere'])).toMatchObject({
      code: 2,
      err: 'ilk: nowhere: no such file or folder\n',
    });
  });

  test('the version is of Ilk', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    for (const args of [['version'], ['--version'], ['-V']]) {
      const { code, out } = await ilk(args);
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringMatching(
          new RegExp(`^ilk ${version}, serving the API of Kubernetes v1\\.\\d+\\.\\d+\\+ilk on node`),
        ),
      });
    }
  });

  test.each(['bin/ilk', 'scripts/start.mjs', 'bin/kubectl-feature_gates'])(
    '%s names the Node that it needs',
    (program) => {
      const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
      const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });`;
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', `data:text/javascript,${encodeURIComponent(older)}`, path],
        { encoding: 'utf8' },
      );
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^(ilk|Ilk|kubectl feature-gates) needs Node 20\.19 or later; this is v[\d.]+\n$/,
      );
    },
  );

  test('a port in use, and no folder is left behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const dataDir = join(root, 'never-made');
    const said = await ilk(['serve', '--data-dir', dataDir, '--secure-port', String(port)]);
    taken.close();
    expect(said).toEqual({
      code: 1,
      out: '',
      err: `ilk: port ${port} of 127.0.0.1 is in use: take another one with --secure-port; 0 is any free one\n`,
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  test('a file that is not there, and no folder is left behind', async () => {
    const dataDir = join(root, 'made', 'for-nothing');
    const { code, err } = await ilk(['serve', '--data-dir', dataDir, '--secure-port=0', '--crds', 'none']);
    expect([code, err]).toEqual([1, 'ilk: --crds none: no such file or folder\n']);
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  test('a folder that cannot be made, a file that is not there: with the flag', async () => {
    const noFolder = await ilk(['serve', '--secure-port=0', '--data-dir', '/proc/foo']);
    expect(noFolder).toMatchObject({
      code: 1,
      err: 'ilk: --data-dir /proc/foo: cannot be used: no such file or folder\n',
    });
    for (const flag of ['--client-ca-file', '--token-auth-file', '--openapi', '--crds']) {
      const { err } = await ilk(['serve', '--storage=memory', '--secure-port=0', flag, 'none']);
      expect(err).toBe(`ilk: ${flag} none: no such file or folder\n`);
    }
    for (const flag of ['--crds', '--old', '--policies']) {
      const { err } = await ilk(['validate', '-', flag, 'none']);
      expect(err).toBe(`ilk: ${flag} none: no such file or folder\n`);
    }
  });

  test('flags that are accepted and have no effect', async () => {
    const { err } = await ilk([
      'serve',
      '--secure-port=0',
      '--watch-cache=false',
      '--etcd-prefix=/x',
      '--enable-admission-plugins=NamespaceLifecycle,ServiceAccount',
      '--data-dir=/proc/foo',
    ]);
    expect(err.split('\n').slice(0, 3)).toEqual([
      'ilk: these flags of kube-apiserver mean nothing here: --watch-cache',
      'ilk: without --etcd-servers, these flags do nothing: --etcd-prefix',
      'ilk: these admission plugins do nothing here: ServiceAccount',
    ]);
  });

  test('nothing to check, and CRDs of a version that is gone', async () => {
    mkdirSync(join(root, 'empty'));
    expect(await ilk(['validate', 'empty'])).toMatchObject({
      code: 1,
      err: 'ilk: empty: no objects in it\n',
    });
    const old = file(
      'v1beta1.yaml',
      'apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n',
    );
    const hint =
      'v1beta1.yaml:1: apiextensions.k8s.io/v1beta1 is gone since Kubernetes 1.22: write apiVersion';
    expect((await ilk(['types', old])).err).toContain(hint);
    const imported = await ilk(['import', old, '--data-dir', join(root, 'imported')]);
    expect([imported.code, imported.err]).toEqual([
      1,
      expect.stringMatching(/^ilk: v1beta1\.yaml:1: .* is gone since/),
    ]);
    expect((await ilk(['serve', '--storage=memory', '--secure-port=0', '--crds', old])).err).toContain(hint);
    expect((await ilk(['validate', old])).out).toMatch(
      /^v1beta1\.yaml:1: CustomResourceDefinition: apiextensions.k8s.io\/v1beta1 is gone/,
    );
  });
});

test('a server in memory needs no folder: what it writes goes when it ends', async () => {
  const serving = new IlkProcess(['serve', '--storage', 'memory', '--secure-port', '0']);
  const { kubeconfig } = await serving.ready();
  expect(existsSync(kubeconfig)).toBe(true);
  serving.kill('SIGTERM');
  expect((await serving.ended()).code).toBe(0);
  expect(existsSync(kubeconfig)).toBe(false);
});

describe('sources', () => {
  const crd = file('crd.yaml', JSON.stringify(widgetCrd));
  file('one.yaml', widget('one', 'blue'));
  file('two.yaml', widget('two', 'mauve'));
  const refused =
    'Widget two: spec.color: Unsupported value: "mauve": supported values: "blue", "green", "red"\n';

  test('patterns, -f and standard input', async () => {
    expect(
      await ilk(['validate', '--crds', crd, '*.yaml', '--skip', 'CustomResourceDefinition']),
    ).toMatchObject({
      code: 1,
      out: expect.stringContaining(`two.yaml:4: ${refused}`),
    });
    expect((await ilk(['validate', '--crds', crd, '-f', 'one.yaml', '-f', '{on,tw}[eo].yaml'])).out).toBe(
      `two.yaml:4: ${refused}`,
    );
    expect((await ilk(['validate', '--crds', crd, '-f', '-'], { input: widget('two', 'mauve') })).out).toBe(
      `-:4: ${refused}`,
    );
    expect((await ilk(['validate', 'none/**/*.yaml'])).err).toBe('ilk: none/**/*.yaml: no file matches\n');
  });
});

describe('reports', () => {
  const crd = file('reports.yaml', JSON.stringify(widgetCrd));
  file('bad.yaml', widget('bad', 'mauve'));
  const other = structuredClone(widgetCrd) as typeof widgetCrd & { spec: { versions: object[] } };
  const stricter = file('stricter.yaml', JSON.stringify(other).replace('"blue",', ''));

  test('for GitHub, as YAML, and in colours with a flag', async () => {
    const validate = (...more: string[]) => ['validate', '--crds', crd, 'bad.yaml', ...more];
    const text = 'spec.color: Unsupported value: "mauve": supported values: "blue", "green", "red"';
    expect((await ilk(validate('-o', 'github'))).out).toBe(
      `::error file=bad.yaml,line=4,title=Widget bad::${text}\n`,
    );
    expect((await ilk(validate('-o', 'yaml', '--summary'))).out).toContain(
      'summary:\n  error: 0\n  invalid: 1\n',
    );
    expect((await ilk(validate(), { env: { FORCE_COLOR: '1' } })).out).toContain(`\x1b[31m${text}\x1b[39m`);
    const imported = await ilk(['import', '--data-dir', join(root, 'data'), '-o', 'github', crd, 'bad.yaml']);
    expect(imported.out).toMatch(
      /^::error file=bad.yaml,line=1,title=Widget bad::Widget.example.com "bad" is invalid/,
    );
  });

  test('what of a comparison counts, stands in a file', async () => {
    const diff = (...more: string[]) => ['diff', crd, stricter, ...more];
    const text = '"blue" may not be given any more';
    expect(await ilk(diff())).toMatchObject({
      code: 1,
      out: `widgets.example.com v1 .spec.color: breaking: ${text}\n1 change, 1 breaking\n`,
    });
    expect((await ilk(diff('-o', 'github'))).out).toBe(
      `::error file=stricter.yaml,line=1,title=widgets.example.com v1 .spec.color::${text} (enum)\n`,
    );
    file('rules.yaml', 'rules: {enum: safe}\n');
    expect(await ilk(diff('--config', 'rules.yaml'))).toMatchObject({ code: 0 });
    file('ignore.yaml', 'ignore: [{crd: widgets.example.com, path: .spec}]\n');
    expect((await ilk(diff('--config', 'ignore.yaml'))).out).toBe('0 changes, 0 breaking\n');
    file('wrong.yaml', 'rules: {colours: safe}\n');
    expect(await ilk(diff('--config', 'wrong.yaml'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^ilk: wrong.yaml: there is no rule colours: it is one of identity, /),
    });
  });
});

test('the page of the server gates has each of them, with its default', () => {
  const page = readFileSync(new URL('../docs/reference/feature-gates.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name, state]) => `${name}=${state}`);
  expect(rows).toEqual(featureGates.map((gate) => `${gate.name}=${gate.default}`));
});
