// Finds a container builder that works here: docker with a daemon, or podman as root or with user namespaces of its own.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a program; a failure carries what it wrote to standard error. */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1e9,
    ...options,
  });
  if (error !== undefined) throw new Error(`${command}: ${error.message}`);
  if (status !== 0)
    throw new Error(`${command} ${args[0]} exited with ${status}:\n${tail(stderr || stdout)}`);
  return stdout;
}

function tail(text) {
  return text.trim().split('\n').slice(-25).join('\n');
}

const has = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** How to call the builder: `{ name, call, build, start, clean, env }`, or undefined where there is none. */
export function findBuilder(folder) {
  if (has('docker', ['info'])) return docker();
  if (has('podman', ['--version'])) return podman(folder);
  return undefined;
}

function docker() {
  const env = { ...process.env, DOCKER_BUILDKIT: '1' };
  const call = (args, options) => run('docker', args, { env, ...options });
  // The image with Node stays, as after any build.
  const clean = (images) => ['docker', ['rmi', '--force', ...images], { env, stdio: 'ignore' }];
  return { name: 'docker', call, build: [], start: [], clean, env };
}

/** Its images are in the folder, so that nothing stays. A sandbox often refuses more than the limits that it has itself. */
function podman(folder) {
  const runtime = has('runc', ['--version']) ? ['--runtime', 'runc'] : [];
  const global = ['--root', join(folder, 's'), '--runroot', join(folder, 'r'), ...runtime];
  // There may be no systemd, whose timers would run the health check.
  const env = { ...process.env, DISABLE_HC_SYSTEMD: 'true' };
  return {
    name: 'podman',
    call: (args, options) => run('podman', [...global, ...args], { env, ...options }),
    // The OCI format has no health checks. Layers between are not kept: the folder is new each time.
    build: ['--isolation', 'chroot', '--format', 'docker', '--layers=false'],
    start: [
      '--ulimit',
      `nofile=${limit('Max open files', 1_048_576)}`,
      '--ulimit',
      `nproc=${limit('Max processes', 32_768)}`,
    ],
    clean: () => ['podman', [...global, 'rmi', '--all', '--force'], { env, stdio: 'ignore' }],
    env,
  };
}

/** The soft and the hard limit of this process, but not more than `most`. */
function limit(name, most) {
  const line =
    readFileSync('/proc/self/limits', 'utf8')
      .split('\n')
      .find((one) => one.startsWith(name)) ?? '';
  const numbers = line.slice(name.length).trim().split(/\s+/).slice(0, 2);
  return numbers.map((text) => (text === 'unlimited' ? most : Math.min(Number(text), most))).join(':');
}
