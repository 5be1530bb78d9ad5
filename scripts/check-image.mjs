// Builds the image of deploy/Dockerfile with docker or podman, checks its size and contents, and runs it. Where no image can be built,
// says why, and runs the instructions one by one in folders that stand for the image. Exits with 1 where something fails.
import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeImage } from './image/base.mjs';
import { findBuilder } from './image/builder.mjs';
import { checkContainer } from './image/container.mjs';
import { measure } from './image/measure.mjs';
import { secrets } from './image/secrets.mjs';
import { runSteps } from './image/steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const image = 'localhost/ilk-check';
const probe = 'localhost/ilk-check-probe';
/** Of the files in the image. */
const bytesMax = 120_000_000;

// Short: sockets have their names in it.
const folder = mkdtempSync(join(tmpdir(), 'ilk-'));
const builder = findBuilder(folder);
try {
  const { base, why } = findBase();
  if (base === undefined) {
    console.log(`SKIPPED: the image is not built: ${why}`);
    console.log('its steps are run in folders');
    await runSteps(root, dockerfile, folder);
    console.log('ok: what the image contains starts, is healthy and ends');
  } else await checkImage(base);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  remove();
}

/**
 * Files of other users can be in the folder, which only the builder can remove; and what podman does after a container has ended may
 * hold it a while.
 */
function remove() {
  for (let tries = 1; ; tries++) {
    if (builder !== undefined) spawnSync(...builder.clean([image, probe]));
    try {
      return rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } catch (error) {
      if (tries === 5) return console.error(`${folder} stays: ${error.message}`);
    }
  }
}

/** The image with Node, on which the builder has been seen to build and run something, or why there is none. */
function findBase() {
  if (builder === undefined) return { why: 'there is neither docker with a daemon nor podman' };
  try {
    const base = timed('the image with Node', () => nodeImage(builder, dockerfile, folder));
    const file = join(folder, 'probe');
    writeFileSync(file, `FROM ${base}\nRUN node --version\n`);
    builder.call(['build', ...builder.build, '-f', file, '-t', probe, join(root, 'deploy')]);
    builder.call(['run', '--rm', ...builder.start, probe, 'node', '--version']);
    return { base };
  } catch (error) {
    return { why: `${builder.name} cannot build and run here: ${error.message}` };
  }
}

async function checkImage(base) {
  timed(`${builder.name} build`, () =>
    builder.call([
      'build',
      ...builder.build,
      ...secrets(folder),
      '--build-arg',
      `NODE_IMAGE=${base}`,
      '-f',
      join(root, 'deploy/Dockerfile'),
      '-t',
      image,
      root,
    ]),
  );
  checkConfig();
  const { bytes, compressed, entries } = await measure(builder, image, folder);
  const megabytes = (number) => `${(number / 1e6).toFixed(1)} MB`;
  console.log(
    `${megabytes(bytes)} of files, ${megabytes(compressed)} compressed; ${megabytes(bytesMax)} are allowed`,
  );
  if (bytes > bytesMax) throw new Error(`the image has ${bytes} bytes: more than ${bytesMax}`);
  checkFiles(entries);
  const { startMs, stopMs } = await checkContainer(builder, image, folder);
  console.log(`healthy after ${startMs} ms, ended by SIGTERM in ${stopMs} ms`);
  console.log('ok: the image runs as user 65532 with a read-only root, keeps its data, and answers kubectl');
}

function checkConfig() {
  const [{ Config: config }] = JSON.parse(builder.call(['image', 'inspect', image]));
  deepEqual([config.User, Object.keys(config.Volumes ?? {})], ['65532:65532', ['/var/lib/ilk']]);
}

/** No file that raises rights, and nothing that the server's user could change, but for its volume and /tmp. */
function checkFiles(entries) {
  const loose = entries.filter(
    ({ mode, owner, path }) =>
      !/^(\.\/)?(tmp|var\/lib\/ilk|dev|proc|sys)(\/|$)/.test(path) &&
      !mode.startsWith('l') &&
      (/[sS]/.test(mode) || mode[8] === 'w' || owner !== '0/0'),
  );
  deepEqual(loose, []);
}

function timed(what, act) {
  const begunMs = Date.now();
  const result = act();
  console.log(`${what}: ${((Date.now() - begunMs) / 1e3).toFixed(0)} s`);
  return result;
}
