import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgresStore } from '../../src/storage/postgres/open-postgres-store.ts';
import { turnsPerInterval } from '../../src/storage/postgres/shared-compaction.ts';
import { PostgresProcess } from '../../src/storage/postgres/postgres-process.test-support.ts';

const objects = 1_000;
const bytes = 1_000;
const inFlight = 32;
const updates = 1_000_000;
/** A steady rate: files keep the size of the largest history, so a run that slows down would show the past. */
const updatesPerSecond = 4_000;
/** How often the size of the tables is shown. */
const showMs = 25_000;
/** A sixth of the defaults, five minutes and one: so that a run of four minutes is five intervals. The rest of autovacuum is as it is. */
const compactionMs = 50_000;
const settings = ['fsync=on', 'autovacuum_naptime=10s'];
const sizes = ['log', 'latest', 'counter', 'turns'];

type Store = Awaited<ReturnType<typeof openPostgresStore>>;

/** Updates objects all the time; gives how long each commit took, by whether the past was being removed. */
async function update(store: Store, isCompacting: () => boolean) {
  const revisions = new Map<number, number>();
  const tookMs = { beside: [] as number[], alone: [] as number[] };
  const value = () =>
    Buffer.from(
      Math.random()
        .toString(36)
        .repeat(bytes / 10),
    ).subarray(0, bytes);
  let left = updates;
  const startedMs = performance.now();
  const aheadMs = () => ((updates - left) / updatesPerSecond) * 1_000 - (performance.now() - startedMs);
  const worker = async (_: unknown, lane: number) => {
    for (let step = 0; left > 0; step++) {
      left -= 1;
      if (aheadMs() > 1) await sleep(aheadMs());
      const index = lane + inFlight * (step % Math.floor(objects / inFlight));
      const began = performance.now();
      const key = `/registry/things/${index}`;
      const { revision } = await store.commit({ key, value: value(), expect: revisions.get(index) ?? 0 });
      revisions.set(index, revision);
      tookMs[isCompacting() ? 'beside' : 'alone'].push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return tookMs;
}

async function megabytes(postgres: PostgresProcess, tables: readonly string[]): Promise<number> {
  const sum = tables.map((table) => `pg_total_relation_size('ilk.${table}')`).join(' + ');
  return Number((await postgres.query(`SELECT (${sum})::float8 / 1e6`))[0]?.[0]);
}

/** The size of the same rows in new tables. */
async function liveMegabytes(postgres: PostgresProcess): Promise<number> {
  for (const table of sizes) {
    await postgres.query(`CREATE TABLE ilk.copy_${table} (LIKE ilk.${table} INCLUDING ALL)`);
    await postgres.query(`INSERT INTO ilk.copy_${table} SELECT * FROM ilk.${table}`);
  }
  return megabytes(
    postgres,
    sizes.map((table) => `copy_${table}`),
  );
}

const at = (values: number[], part: number) =>
  values.sort((a, b) => a - b)[Math.floor(values.length * part)]?.toFixed(1);

/** Whether tables that are updated all the time stay small, and what removing the past costs writers. */
export async function measureBloat(print: (line: string) => void): Promise<void> {
  await using postgres = await PostgresProcess.start(settings);
  const store = await openPostgresStore({ url: postgres.url() });
  const compaction = store.compaction();
  let compacting = 0;
  const shown: string[] = [];
  const started = performance.now();
  const turns = setInterval(async () => {
    compacting += 1;
    await compaction.takeTurn().catch((error: unknown) => shown.push(String(error)));
    compacting -= 1;
  }, compactionMs / turnsPerInterval);
  const watching = setInterval(async () => {
    const size = await megabytes(postgres, sizes);
    shown.push(`${((performance.now() - started) / 1_000).toFixed(0)} s: ${size.toFixed(0)} MB`);
  }, showMs);
  const { beside, alone } = await update(store, () => compacting > 0);
  clearInterval(turns);
  clearInterval(watching);
  const [size, live] = [await megabytes(postgres, sizes), await liveMegabytes(postgres)];
  const [row] = await postgres.query('SELECT count(*)::int FROM ilk.log');
  print(
    `\n${beside.length + alone.length} updates of ${objects} objects of ${bytes} bytes; at the end ${row?.[0]} changes are kept.`,
  );
  print(
    `Tables: ${size.toFixed(1)} MB, in new tables ${live.toFixed(1)} MB: ${(size / live).toFixed(2)} x. ${shown.join(', ')}.`,
  );
  const text = (values: number[]) =>
    `${values.length}, p50 ${at(values, 0.5)} ms, p99 ${at(values, 0.99)} ms`;
  print(`Commits during a compaction: ${text(beside)}; otherwise: ${text(alone)}.`);
  await store.close();
}
