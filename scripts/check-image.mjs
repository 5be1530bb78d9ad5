// Builds the image of deploy/Dockerfile and starts it. Without a container builder its instructions are run one by one in folders
// that stand for the images, from a copy of what Git has. Exits with 1 where something fails.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const readyMsMax = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'ilk-image-'));
try {
  const hasBuilder = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
  console.log(hasBuilder ? 'docker builds the image' : 'no container builder: the steps are run in folders');
  if (hasBuilder) buildWithDocker();
  else await runSteps();
  console.log('ok: the image starts, is healthy and ends');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command, args, cwd = root) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function buildWithDocker() {
  run('docker', ['build', '--quiet', '-f', 'deploy/Dockerfile', '-t', 'ilk-check', '.']);
  const id = run('docker', ['run', '--detach', '--read-only', '--tmpfs', '/tmp', 'ilk-check']).trim();
  try {
    const deadlineMs = Date.now() + readyMsMax;
    const health = () => run('docker', ['inspect', '--format', '{{.State.Health.Status}}', id]).trim();
    while (health() !== 'healthy') {
      if (Date.now() > deadlineMs) throw new Error(`the container is ${health()}`);
      spawnSync('sleep', ['0.5']);
    }
  } finally {
    run('docker', ['rm', '--force', '--volumes', id]);
  }
}

/** The instructions of the Dockerfile, lines that go on joined: `{ word: 'RUN', rest: 'npm install' }`. */
function instructions() {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  return [...text.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, word, rest]) => ({ word, rest }));
}

async function runSteps() {
  const source = join(folder, 'source');
  for (const path of run('git', ['ls-files', '-z']).split('\0').filter(Boolean))
    cpSync(join(root, path), join(source, path), { recursive: true });
  const last = { stage: '', cwd: '/', entry: [], cmd: [], health: [] };
  for (const { word, rest } of instructions()) {
    if (word === 'FROM') Object.assign(last, { stage: / AS (\w+)/.exec(rest)?.[1] ?? 'last', cwd: '/' });
    else if (word === 'WORKDIR') mkdirSync(inStage(last.stage, (last.cwd = rest)), { recursive: true });
    else if (word === 'COPY') copy(rest, last, source);
    else if (word === 'RUN') step(rest, last);
    else if (word === 'ENTRYPOINT') last.entry = JSON.parse(rest);
    else if (word === 'CMD') last.cmd = JSON.parse(rest);
    else if (word === 'HEALTHCHECK') last.health = JSON.parse(rest.slice(rest.indexOf('[')));
  }
  await start(last);
}

/** The place of a path of an image: each stage has a folder. */
function inStage(stage, path) {
  return join(folder, stage, path);
}

/** Words with the paths of an image in them, for the folder of a stage. */
function mapped(text, stage) {
  return text.replaceAll(/(?<![\w./])\/(src|opt|tmp|var)(?=\/|\s|$)/g, `${join(folder, stage)}/$1`);
}

/** Node is the one that runs this; all else is copied. */
function copy(rest, { stage, cwd }, source) {
  const [, from, path, to] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? [];
  if (path === '/usr/local/bin/node') return;
  const origin = from === undefined ? join(source, path) : inStage(from, path);
  const target = inStage(stage, to.startsWith('/') ? to : join(cwd, to));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(origin, target, { recursive: true, verbatimSymlinks: true });
}

function step(rest, { stage, cwd }) {
  if (/^apk /.test(rest)) return;
  // Owners are the image's: here everything belongs to who runs this.
  const command = mapped(rest, stage).replace(/ && chown .*$/, '');
  mkdirSync(inStage(stage, '/tmp'), { recursive: true });
  console.log(`    ${rest}`);
  run('sh', ['-c', command], inStage(stage, cwd));
}

/** Starts the image's command on a free port, asks its health check until it is well, and ends it. */
async function start({ stage, entry, cmd, health }) {
  const [, ...args] = [...entry, ...cmd].map((word) => mapped(word, stage));
  const storage = process.getBuiltinModule('node:sqlite') === undefined ? ['--storage', 'memory'] : [];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', NODE_DISABLE_COMPILE_CACHE: '1' };
  const words = [...args, '--secure-port', '0', ...storage];
  const child = spawn(process.execPath, words, { cwd: '/', env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), readyMsMax);
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text;
    if (said.includes('export KUBECONFIG=')) break;
  }
  const port = /serving on https:\/\/[^:]+:(\d+)/.exec(said)?.[1] ?? '';
  const check = health.slice(1).map((word) => mapped(word, stage).replace(/^6443$/, port));
  const { status } = spawnSync(process.execPath, check, { stdio: 'inherit' });
  child.kill('SIGTERM');
  const code = await ended;
  clearTimeout(timer);
  if (status !== 0 || code !== 0) throw new Error(`health check: ${status}, end: ${code}`);
}
