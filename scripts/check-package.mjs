// Packs the package, installs it in an empty folder, and uses it as people do. Exits with 1 where something fails.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const installedBytesMax = 30 * 1024 * 1024;
const filesMax = 120;
const readyMsMax = 60_000;
/** Processor time above `node -e 0`. The targets are 100 and 150; this is what a slow machine may take. */
const quickMsMax = { import: 800, answer: 1_200 };

const useSource = `
  const server = await startServer();
  const fork = await server.fork();
  const { status } = await fork.fetch('/readyz');
  await fork.close();
  await server.close();
  if (status !== 200) throw new Error('readyz: ' + status);
  if (startPlain !== startServer) throw new Error('the entries differ');
  for (const name of Object.keys(main)) {
    if (!['startServer', 'LoadError', 'OptionError', 'StatusError', 'StoreError'].includes(name)) throw new Error(name + ' is internal');
  }
  for (const one of [startPlain, createMemoryStore, compileSchema, compile]) {
    if (typeof one !== 'function') throw new Error('an export is missing');
  }`;

const namesOf = (load) => `
  const { startServer } = ${load('ilk-apiserver/testing')};
  const main = ${load('ilk-apiserver')};
  const { startServer: startPlain } = main;
  const { createMemoryStore } = ${load('ilk-apiserver/storage')};
  const { compileSchema } = ${load('ilk-apiserver/schema')};
  const { compile } = ${load('ilk-apiserver/cel')};`;

const esmSource = `${namesOf((name) => `await import('${name}')`)}${useSource}`;
const cjsSource = `(async () => {${namesOf((name) => `require('${name}')`)}${useSource}})();`;

const storySource = `
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'gardens.example.com' },
    spec: {
      group: 'example.com', scope: 'Cluster', names: { plural: 'gardens', kind: 'Garden' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  const ilk = forkPerTest(hooks, { crds: [crd] });
  for (const name of ['a', 'b']) hooks.test(name, async () => {
    const path = '/apis/example.com/v1/gardens';
    const body = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Garden', metadata: { name } });
    await ilk.server.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { items } = await (await ilk.server.fetch(path)).json();
    if (items.length !== 1 || items[0].metadata.name !== name) throw new Error(JSON.stringify(items));
  });`;

const nodeTestSource = `
  import * as hooks from 'node:test';
  import { forkPerTest } from 'ilk-apiserver/testing';${storySource}`;

const checks = {
  'it installs by itself': installs,
  'it is small': isSmall,
  'ilk serve starts and stops': serves,
  'npx ilk-apiserver serve stops with npx': servesByNpx,
  'ilk serve says what to do where there is no SQLite': saysWithoutSqlite,
  'ES modules import it': () => node('esm.mjs', esmSource),
  'CommonJS requires it': () => node('cjs.cjs', cjsSource),
  'node:test runs with it': () => node('node.test.mjs', nodeTestSource, '--test'),
  'its types hold under nodenext': () => types('nodenext', 'nodenext'),
  'its types hold under bundler': () => types('esnext', 'bundler'),
  'an import and a first answer are quick': isQuick,
  // Last, as these install others beside the package.
  'Vitest runs with it': vitest,
  'Jest runs with it, as CommonJS': jest,
  'Jest runs with it, as ES modules': jestModules,
  'bun runs with it, or says why not': bun,
};

const folder = mkdtempSync(join(tmpdir(), 'ilk-package-'));
try {
  for (const [name, check] of Object.entries(checks)) {
    const startedMs = performance.now();
    await check();
    console.log(`ok: ${name} (${Math.round(performance.now() - startedMs)} ms)`);
  }
} catch (error) {
  console.error(error instanceof Error ? [error.message, error.stdout].filter(Boolean).join('\n') : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command, args, cwd = folder) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function node(file, source, ...options) {
  writeFileSync(join(folder, file), source);
  return run(process.execPath, [...options, file]);
}

function installs() {
  const tarball = run('npm', ['pack', '--silent', '--pack-destination', folder], root)
    .trim()
    .split('\n')
    .at(-1);
  writeFileSync(join(folder, 'package.json'), '{"name":"user","version":"1.0.0"}');
  run('npm', ['install', '--no-audit', '--no-fund', `./${tarball}`]);
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  same(installed, ['ilk-apiserver'], 'packages');
}

function isSmall() {
  const files = readdirSync(join(folder, 'node_modules', 'ilk-apiserver'), { recursive: true })
    .map((name) => statSync(join(folder, 'node_modules', 'ilk-apiserver', name)))
    .filter((stats) => stats.isFile());
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  console.log(`    ${files.length} files, ${(bytes / 1024 / 1024).toFixed(1)} MiB`);
  if (bytes > installedBytesMax)
    throw new Error(`${bytes} bytes installed; the limit is ${installedBytesMax}`);
  if (files.length > filesMax) throw new Error(`${files.length} files installed; the limit is ${filesMax}`);
}

async function serves() {
  same(await startAndStop(join(folder, 'node_modules', '.bin', 'ilk')), 0, 'exit code of ilk serve');
}

/** npx ends by the signal itself. The streams close when the server has ended, too. */
async function servesByNpx() {
  same(await startAndStop('npx', 'ilk-apiserver'), null, 'exit code of npx');
}

async function startAndStop(command, ...words) {
  const flags = ['--storage', 'memory', '--data-dir', join(folder, 'data'), '--secure-port', '0'];
  const options = { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] };
  const child = spawn(command, [...words, 'serve', ...flags], options);
  let text = '';
  const ended = new Promise((resolve, reject) => {
    child.once('close', resolve);
    child.once('exit', () => {
      setTimeout(() => reject(new Error(`the server still runs:\n${text}`)), readyMsMax).unref();
    });
  });
  child.stderr.on('data', (chunk) => (text += chunk));
  const ready = new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (/^ilk is serving on/m.test(text)) resolve();
    });
    child.once('close', () => reject(new Error(`ilk serve ended before it was ready:\n${text}`)));
    setTimeout(
      () => reject(new Error(`ilk serve is not ready after ${readyMsMax} ms:\n${text}`)),
      readyMsMax,
    ).unref();
  });
  await ready.finally(() => child.kill('SIGTERM'));
  return ended;
}

/** Jest loads tests as CommonJS unless configured otherwise. */
function jest() {
  writeFileSync(
    join(folder, 'garden.test.js'),
    `const hooks = { beforeAll, afterAll, beforeEach, afterEach, test };
     const { forkPerTest } = require('ilk-apiserver/testing');${storySource}`,
  );
  run('npm', ['install', '--no-audit', '--no-fund', 'jest@30']);
  run(process.execPath, [join(folder, 'node_modules', 'jest', 'bin', 'jest.js'), 'garden.test.js']);
}

/** Jest's ES modules want a flag of Node's. */
function jestModules() {
  writeFileSync(
    join(folder, 'garden.test.mjs'),
    `import * as globals from '@jest/globals';
     import { forkPerTest } from 'ilk-apiserver/testing';
     const hooks = globals;${storySource}`,
  );
  const args = ['--experimental-vm-modules', join(folder, 'node_modules', 'jest', 'bin', 'jest.js')];
  const match = ['--testMatch', '**/garden.test.mjs', '--testPathIgnorePatterns', 'none'];
  run(process.execPath, [...args, ...match]);
}

function vitest() {
  writeFileSync(
    join(folder, 'garden.vitest.mjs'),
    `import * as hooks from 'vitest';
     import { forkPerTest, vitestFixtures } from 'ilk-apiserver/testing';${storySource}
     const test = hooks.test.extend(vitestFixtures());
     test('fixtures', async ({ server }) => {
       hooks.expect((await server.fetch('/readyz')).status).toBe(200);
     });`,
  );
  run('npm', ['install', '--no-audit', '--no-fund', 'vitest@4']);
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    "export default { test: { include: ['garden.vitest.mjs'] } };",
  );
  run(process.execPath, [join(folder, 'node_modules', 'vitest', 'vitest.mjs'), 'run']);
}

/** Bun's npm package brings its binary with a script of its own, or as a package for the platform. */
function bun() {
  try {
    run('npm', ['install', '--no-audit', '--no-fund', 'bun@1']);
    run(join(folder, 'node_modules', '.bin', 'bun'), ['--version']);
  } catch (error) {
    console.log(`    skipped: bun cannot be installed here: ${String(error.message).split('\n')[0]}`);
    return;
  }
  writeFileSync(join(folder, 'bun.mjs'), esmSource);
  run(join(folder, 'node_modules', '.bin', 'bun'), ['bun.mjs']);
}

/** Times of the processor, as the machine may be busy with other things; each is the median of processes in turns. */
function isQuick() {
  const tell =
    ';const { user, system } = process.cpuUsage(); console.log((user + system) / 1000); process.exit();';
  const programs = {
    nothing: '0',
    import: "await import('ilk-apiserver')",
    answer:
      "const { startServer } = await import('ilk-apiserver'); const s = await startServer({ listen: false }); await s.fetch('/readyz')",
  };
  const times = { nothing: [], import: [], answer: [] };
  for (let round = 0; round < 7; round += 1) {
    for (const [name, source] of Object.entries(programs)) {
      times[name].push(Number(run(process.execPath, ['--input-type=module', '-e', `${source}${tell}`])));
    }
  }
  const median = (list) => list.sort((a, b) => a - b)[3];
  const above = (name) => Math.round(median(times[name]) - median(times.nothing));
  const figures = `import ${above('import')} ms, first answer ${above('answer')} ms`;
  console.log(`    processor time above node -e 0 (${Math.round(median(times.nothing))} ms): ${figures}`);
  for (const [name, mostMs] of Object.entries(quickMsMax)) {
    if (above(name) > mostMs) throw new Error(`${name} takes ${above(name)} ms; the limit is ${mostMs} ms`);
  }
}

/** Node 22.13 and later have one of their own. */
function saysWithoutSqlite() {
  if (process.getBuiltinModule('node:sqlite') !== undefined) return;
  const bin = join(folder, 'node_modules', '.bin', 'ilk');
  const args = ['serve', '--data-dir', join(folder, 'none'), '--secure-port', '0'];
  const { status, stderr } = spawnSync(bin, args, { cwd: folder, encoding: 'utf8' });
  const text = `ilk: Node ${process.versions.node} has no SQLite: use Node 22.13 or later, or \`npm install @photostructure/sqlite@1.2.1\` beside ilk-apiserver, or --storage memory\n`;
  same([status, stderr], [1, text], 'answer of ilk serve without SQLite');
}

function types(module, moduleResolution) {
  const crds = join(root, 'examples', 'typescript-controller', 'config', 'crd');
  run(join(folder, 'node_modules', '.bin', 'ilk'), ['types', crds, '--standalone', '--out-dir', folder]);
  writeFileSync(
    join(folder, 'user.ts'),
    `import { startServer, OptionError, type ForkOptions, type IlkServer, type ServerOptions } from 'ilk-apiserver';
     import type { Garden } from './gardens.example.com_v1.js';
     import { startServer as startTest, forkPerTest, vitestFixtures, FakeClock } from 'ilk-apiserver/testing';
     import { createMemoryStore, type Store } from 'ilk-apiserver/storage';
     import * as schema from 'ilk-apiserver/schema';
     import * as cel from 'ilk-apiserver/cel';
     const roses: Garden = { apiVersion: 'example.com/v1', kind: 'Garden', metadata: { name: 'roses' }, spec: { rows: 3 } };
     const options: ServerOptions = { storage: { kind: 'memory' }, crds: ['crds', new URL('file:///crds')], objects: [roses] };
     const fork: ForkOptions = { listen: { port: 0 }, objects: [roses] };
     export const server: Promise<IlkServer> = startServer(options).then((one) => one.fork(fork));
     // Both entries have the same function: what one takes and gives, the other does.
     export const same: typeof startServer = startTest;
     export const error: Error = new OptionError('');
     // @ts-expect-error: an option that does not exist.
     export const unknown: ServerOptions = { crd: [] };
     // @ts-expect-error: a fork is in memory.
     export const stored: ForkOptions = { storage: { kind: 'memory' } };
     export const store: Store = createMemoryStore();
     export const all = [startTest, forkPerTest, vitestFixtures, FakeClock, schema, cel];`,
  );
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    module,
    moduleResolution,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json']);
}

function same(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
