import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../src/meta/index.ts';
import { type StorageOptions, startServer } from '../src/server.ts';
import { randomFrom } from '../src/cache/random.test-support.ts';
import { Mirror } from './storm/mirror.ts';
import { read } from './storm/record.ts';
import { Storm } from './storm/storm.ts';

const plurals = ['things', 'others'];
const changesOfEach = 40;
const clientsOfEach = 3;

/** The names and revisions of objects, sorted. */
const shown = (objects: readonly JsonObject[]) =>
  objects.map((object) => `${read(object).name}@${read(object).revision}`).sort();

async function listed(storm: Storm, plural: string) {
  const { body } = await storm.call('GET', storm.collection(plural, 'v1'));
  return {
    revision: read(body).revision,
    items: Array.isArray(body['items']) ? body['items'].filter(isObject) : [],
  };
}

/** Waits until a mirror has been told of a write that came last. */
async function caughtUp(mirror: Mirror, revision: number): Promise<void> {
  for (let waitedMs = 0; mirror.revision < revision && waitedMs < 10_000; waitedMs += 5) await sleep(5);
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function storageOf(kind: 'memory' | 'sqlite'): StorageOptions {
  if (kind === 'memory') return { kind };
  const dataDir = mkdtempSync(join(tmpdir(), 'ilk-storm-'));
  folders.push(dataDir);
  return { kind, dataDir };
}

test.each([
  [1, 'memory'],
  [2, 'memory'],
  [3, 'sqlite'],
] as const)(
  'while CRDs change, go and come back, clients see no failure, nothing wrong, and every event (seed %i, %s)',
  async (seed, kind) => {
    const troubles: unknown[] = [];
    await using server = await startServer({
      storage: storageOf(kind),
      listen: false,
      onTrouble: (error) => void troubles.push(error),
    });
    const storm = new Storm(server, randomFrom(seed).below);
    await Promise.all(plurals.map((plural) => storm.createCrd(plural)));
    const mirrors = plurals.flatMap((plural) =>
      ['v1', 'v1', 'v2'].map((version) => ({ plural, version, mirror: new Mirror(storm, plural, version) })),
    );
    const running = mirrors.map(({ mirror }) => mirror.run());
    const clients = plurals.flatMap((plural) =>
      Array.from({ length: clientsOfEach }, (_, client) => storm.use(plural, client)),
    );
    await Promise.all(plurals.map((plural) => storm.changeCrd(plural, changesOfEach)));
    storm.over = true;
    await Promise.all(clients);

    for (const { plural, version, mirror } of mirrors) {
      if (version !== 'v1') continue;
      const last = await listed(storm, plural);
      const newest = Math.max(0, ...last.items.map((item) => read(item).revision));
      await caughtUp(mirror, newest);
      // A delete has a later revision than what is left.
      await expect.poll(() => shown(mirror.objects)).toEqual(shown(last.items));
    }
    for (const { mirror } of mirrors) mirror.stop();
    await Promise.all(running);
    for (const { mirror } of mirrors) mirror.check();
    expect(storm.record.complaints.slice(0, 5)).toEqual([]);
    expect(troubles).toEqual([]);
    expect(storm.record.answers).toBeGreaterThan(100);
    for (const { mirror, version } of mirrors)
      if (version === 'v1') expect(mirror.watches).toBeGreaterThan(2);
  },
  60_000,
);
