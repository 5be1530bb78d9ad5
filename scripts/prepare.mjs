// Makes a fresh clone ready: installs what is missing, and builds what has changed since the last build.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(what, command, args) {
  process.stderr.write(`ilk: ${what}\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const installed = join(root, 'node_modules', '.package-lock.json');
const lock = join(root, 'package-lock.json');
if (!existsSync(installed) || newest(lock) > newest(installed) + 1000)
  run('installing dependencies', 'npm', ['install', '--no-audit', '--no-fund']);

const built = join(root, 'dist', 'bin', 'main.js');
const sources = ['src', 'console/src', 'package.json', 'scripts'].map((name) => newest(join(root, name)));
if (!existsSync(built) || Math.max(...sources) > statSync(built).mtimeMs)
  run('building, which takes some seconds', process.execPath, ['scripts/build.mjs']);
