// Runs the instructions of deploy/Dockerfile one by one in folders that stand for its stages, from a copy of what Git has, and starts
// the server as the image does: for machines without a container builder.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './builder.mjs';

const readyMsMax = 60_000;
/** What is not Ilk's: Node and the libraries are those of the machine. */
const leftOut = 'runtime';

/** Throws where a step fails, where the server is not healthy, and where it does not end with 0. */
export async function runSteps(root, dockerfile, folder) {
  const source = join(folder, 'source');
  for (const path of run('git', ['ls-files', '-z'], { cwd: root }).split('\0').filter(Boolean))
    cpSync(join(root, path), join(source, path), { recursive: true });
  const last = { stage: '', cwd: '/', entry: [], cmd: [], health: [], folder };
  for (const { word, rest } of instructions(dockerfile)) {
    if (word === 'FROM') Object.assign(last, { stage: / AS (\w+)/.exec(rest)?.[1] ?? 'last', cwd: '/' });
    if (last.stage === leftOut) continue;
    if (word === 'WORKDIR') mkdirSync(inStage(last, (last.cwd = rest)), { recursive: true });
    else if (word === 'COPY') copy(rest, last, source);
    else if (word === 'RUN') step(rest.replaceAll(/--mount=\S+ /g, ''), last);
    else if (word === 'ENTRYPOINT') last.entry = JSON.parse(rest);
    else if (word === 'CMD') last.cmd = JSON.parse(rest);
    else if (word === 'HEALTHCHECK') last.health = JSON.parse(rest.slice(rest.indexOf('[')));
  }
  await start(last);
}

/** Lines that go on joined: `{ word: 'RUN', rest: 'npm install' }`. */
function instructions(dockerfile) {
  const text = dockerfile.replaceAll('\\\n', ' ');
  return [...text.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, word, rest]) => ({ word, rest }));
}

/** The place of a path of an image: each stage has a folder. */
function inStage({ folder, stage }, path) {
  return join(folder, stage, path);
}

/** Words with the paths of an image in them, for the folder of a stage. */
function mapped(text, { folder, stage }) {
  return text.replaceAll(/(?<![\w./])\/(src|opt|tmp|var)(?=\/|\s|$)/g, `${join(folder, stage)}/$1`);
}

function copy(rest, last, source) {
  const words = rest.split(' ');
  const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
  if (from === leftOut) return;
  const to = words.pop();
  for (const path of words) {
    const origin = from === undefined ? join(source, path) : inStage({ ...last, stage: from }, path);
    const target = inStage(last, to.startsWith('/') ? to : join(last.cwd, to));
    const place = words.length > 1 ? join(target, path) : target;
    mkdirSync(dirname(place), { recursive: true });
    cpSync(origin, place, { recursive: true, verbatimSymlinks: true });
  }
}

function step(rest, last) {
  mkdirSync(inStage(last, '/tmp'), { recursive: true });
  console.log(`    ${rest}`);
  run('sh', ['-c', mapped(rest, last)], { cwd: inStage(last, last.cwd) });
}

/** Starts the image's command on a free port, asks its health check until it is well, and ends it. */
async function start(last) {
  const [, ...args] = [...last.entry, ...last.cmd].map((word) => mapped(word, last));
  const storage = process.getBuiltinModule('node:sqlite') === undefined ? ['--storage', 'memory'] : [];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', NODE_DISABLE_COMPILE_CACHE: '1' };
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
  const check = last.health.slice(1).map((word) => mapped(word, last).replace(/^6443$/, port));
  const { status } = spawnSync(process.execPath, check, { stdio: 'inherit' });
  child.kill('SIGTERM');
  const code = await ended;
  clearTimeout(timer);
  if (status !== 0 || code !== 0) throw new Error(`health check: ${status}, end: ${code}`);
}
