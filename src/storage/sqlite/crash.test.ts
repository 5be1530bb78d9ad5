import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prefixRange, type Store } from '../store.ts';
import { failure, text, write } from '../suite/context.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'ilk-crash-'));
const program = join(folder, 'writer.mjs');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes endlessly from 32 concurrent writers, and prints what was acknowledged: the key, its revision, its value. */
const source = `
  import { writeSync } from 'node:fs';
  import { openSqliteStore } from './sqlite-store.ts';
  const [, , dataDir, round] = process.argv;
  const store = await openSqliteStore({ dataDir });
  writeSync(1, 'open\\n');
  async function write(key) {
    let expect = (await store.get(key)).record?.modRevision ?? 0;
    for (let count = 0; ; count++) {
      const remove = expect !== 0 && count % 10 === 9;
      const value = 'round ' + round + ' number ' + count;
      const result = await store.commit({ key, value: remove ? null : Buffer.from(value), expect });
      if (!result.ok) throw new Error('conflict on ' + key);
      writeSync(1, [key, result.revision, remove ? 'deleted' : value].join('\\t') + '\\n');
      expect = remove ? 0 : result.revision;
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, index) => write('/writer/' + index)));
`;

/** The child runs outside the repository, so the one native package is named by its whole path. */
beforeAll(async () => {
  const require = createRequire(import.meta.url);
  await build({
    stdin: { contents: source, resolveDir: dirname(fileURLToPath(import.meta.url)), loader: 'js' },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [
      {
        name: 'native-package-by-path',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ path }) => ({
            path: pathToFileURL(require.resolve(path)).href,
            external: true,
          }));
        },
      },
    ],
  });
});

function start(dataDir: string, round: number): ChildProcess {
  return spawn(process.execPath, [program, dataDir, `${round}`], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** Lets the child work until it has acknowledged a number of writes, kills it, and gives all it acknowledged. */
async function runAndKill(dataDir: string, round: number, enough: number): Promise<string[]> {
  const child = start(dataDir, round);
  if (child.stdout === null) throw new Error('the output of the child was asked for');
  const acknowledged: string[] = [];
  // Lines keep coming after the kill: whatever the child had written into the pipe was acknowledged.
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.split('\t').length === 3) acknowledged.push(line);
    if (acknowledged.length === enough) child.kill('SIGKILL');
  }
  return acknowledged;
}

/** Every change the store knows, as the child would have told it. */
async function changes(store: Store): Promise<Set<string>> {
  const watch = store.watch(prefixRange('/'), { after: 1 });
  const end = await store.revision();
  const lines = new Set<string>();
  watch.requestProgress();
  for await (const { events, revision } of watch) {
    for (const event of events)
      lines.add([event.key, event.revision, text(event.value) ?? 'deleted'].join('\t'));
    if (revision === end) break;
  }
  return lines;
}

test('no acknowledged write is lost by kill -9, and revisions never go back', async () => {
  const dataDir = join(folder, 'killed');
  const acknowledged: string[] = [];
  let head = 1;
  for (let round = 1; round <= 5; round++) {
    acknowledged.push(...(await runAndKill(dataDir, round, 400 * round + 37)));
    const store = await openSqliteStore({ dataDir });
    const known = await changes(store);
    expect(acknowledged.filter((line) => !known.has(line))).toEqual([]);
    const now = await store.revision();
    // One change for each revision: none was given twice, none is missing.
    expect(known.size).toBe(now - 1);
    expect(now).toBeGreaterThan(head);
    head = now;
    await store.close();
  }
  expect(new Set(acknowledged.map((line) => line.split('\t')[1])).size).toBe(acknowledged.length);
  expect(acknowledged.length).toBeGreaterThan(6_000);
});

test('a second process is refused, until the first is gone', async () => {
  const dataDir = join(folder, 'shared');
  const child = start(dataDir, 1);
  if (child.stdout === null) throw new Error('the output of the child was asked for');
  await once(child.stdout, 'data');
  const { code, message } = await failure(openSqliteStore({ dataDir }));
  expect([code, message]).toEqual(['refused', `the data directory ${dataDir} is in use by another Ilk`]);
  await kill(child);
  const store = await openSqliteStore({ dataDir });
  await write(store, '/mine', 'x');
  await store.close();
});
