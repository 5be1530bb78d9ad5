import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIfMissing } from '../fixtures/ilk-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ilk-image-'));
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const unit = readFileSync(join(root, 'deploy/systemd/ilk.service'), 'utf8');
const action = readFileSync(join(root, 'action.yml'), 'utf8');

beforeAll(() => {
  buildIfMissing();
  const installed = join(folder, 'opt/ilk');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(installed, part), { recursive: true });
  cpSync(join(root, 'deploy/healthcheck.mjs'), join(installed, 'healthcheck.mjs'));
  spawnSync(process.execPath, [join(root, 'deploy/image/compress.mjs'), join(installed, 'dist/lib/all.cjs')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The words of an instruction in its JSON form, with the image's folders in ours and a free port. */
function words(instruction: RegExp): string[] {
  const [, json = '[]'] = instruction.exec(dockerfile) ?? [];
  const parsed: string[] = JSON.parse(json);
  return parsed.map((word) => word.replace(/^\/(opt|var)\//, `${folder}/$1/`));
}

test('the image starts as a user of its own, says that it is healthy, writes to its volume alone, and ends', async () => {
  const [node = '', ...entry] = words(/^ENTRYPOINT (.*)$/m);
  expect(node).toBe('node');
  const args = [...entry, ...words(/^CMD (.*)$/m)].map((word) => (word === '6443' ? '0' : word));
  // Nothing of the machine's environment: an image has none of it. SQLite on Node 20 is the checkout's.
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', NODE_PATH: join(root, 'node_modules') };
  const storage = process.getBuiltinModule('node:sqlite') === undefined ? ['--storage', 'memory'] : [];
  const child = spawn(process.execPath, [...args, ...storage], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text;
    if (said.includes('export KUBECONFIG=')) break;
  }
  const port = /serving on https:\/\/[^:]+:(\d+)/.exec(said)?.[1] ?? '';
  const health = words(/^HEALTHCHECK .* CMD (.*)$/m).map((word) => (word === '6443' ? port : word));
  const { status, stderr } = spawnSync(process.execPath, health.slice(1), { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  expect(spawnSync(process.execPath, health.slice(1)).status).toBe(1);
});

test('each file that the image copies exists, and its last stage has nothing but Ilk, Node and a user of its own', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  expect(copied).toContain('deploy/healthcheck.mjs');
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  expect(last).toMatch(/^FROM scratch$/m);
  expect(last).toMatch(/^USER 65532:65532$/m);
  expect(last).toMatch(/^VOLUME \/var\/lib\/ilk$/m);
  expect(last).not.toMatch(/^RUN /m);
});

test('what the notes of the chart run in the container is there: Node, and no shell', () => {
  const notes = readFileSync(join(root, 'deploy/chart/templates/NOTES.txt'), 'utf8').replaceAll('\\\n', '');
  const commands = [...notes.matchAll(/kubectl exec .* -- +(\S+) (.*) >/g)];
  expect(commands.map(([, command]) => command)).toEqual(['node']);
  const [[, , args = ''] = []] = commands;
  const file = join(folder, 'admin.kubeconfig');
  writeFileSync(file, 'apiVersion: v1');
  const words = args.replace('/var/lib/ilk/admin.kubeconfig', file);
  const said = spawnSync('sh', ['-c', `"$0" ${words}`, process.execPath], { encoding: 'utf8' });
  expect([said.stdout, said.stderr]).toEqual(['apiVersion: v1\n', '']);
});

test('the context of the build has neither what Git ignores nor the history', () => {
  const left = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  expect(left).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'dist', '*.tgz']));
});

test('the bundle of the image is compressed, and says where it fails as the one of the package does', () => {
  const file = join(folder, 'opt/ilk/dist/lib/all.cjs');
  expect(statSync(file).size).toBeLessThan(1000);
  expect(statSync(`${file}.gz`).size).toBeLessThan(statSync(join(root, 'dist/lib/all.cjs')).size / 3);
  const fail =
    'require(process.argv[1]).library().startServer({ nope: 1 }).catch(({ stack }) => console.log(stack))';
  const say = (bundle: string) =>
    spawnSync(process.execPath, ['-e', fail, bundle], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line.includes('all.cjs'))
      .map((line) => line.slice(line.indexOf('all.cjs')));
  expect(say(file).length).toBeGreaterThan(0);
  expect(say(file)).toEqual(say(join(root, 'dist/lib/all.cjs')));
});

/** The flags that a command has. */
function flagsOf(command: string): string[] {
  const { stdout } = spawnSync(process.execPath, [join(root, 'bin/ilk'), command, '--help'], {
    encoding: 'utf8',
  });
  return [...stdout.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag);
}

test('image, unit and chart give flags that ilk serve has', () => {
  const chart = readFileSync(join(root, 'deploy/chart/templates/_names.tpl'), 'utf8');
  const given = [dockerfile.slice(dockerfile.indexOf('\nCMD')), unit, chart].flatMap((text) =>
    [...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag),
  );
  const known = flagsOf('serve');
  expect(given.length).toBeGreaterThan(10);
  expect(given.filter((flag) => !known.includes(flag))).toEqual([]);
  const asked = [...action.matchAll(/ (--[a-z]+) (?:github|"\$line")/g)].map(([, flag = '']) => flag);
  const validate = flagsOf('validate');
  expect(asked.filter((flag) => !validate.includes(flag))).toEqual([]);
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)('systemd takes the unit', () => {
  const { stderr } = spawnSync('systemd-analyze', ['verify', join(root, 'deploy/systemd/ilk.service')], {
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes('ilk.service'))).toEqual([]);
});
