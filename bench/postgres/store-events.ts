import type { PostgresProcess } from '../../src/storage/postgres/postgres-process.test-support.ts';
import { openPostgresStore } from '../../src/storage/postgres/open-postgres-store.ts';
import { pacedDelays } from '../http/event-delays.ts';

const key = '/registry/things/followed';
const contentOf = (step: number) => Buffer.from(`${step} `.padEnd(1_000, 'x'));

/** From the start of a commit until a watch of another store has its event, both in this process: the storage alone. */
export async function storeEventDelays(postgres: PostgresProcess): Promise<number[]> {
  const options = { url: postgres.url(), schema: 'store_events' };
  const [writer, reader] = [await openPostgresStore(options), await openPostgresStore(options)];
  const { record, revision } = await writer.get(key);
  let expect = record?.modRevision ?? 0;
  const watch = reader.watch({ start: key, end: `${key}\0` }, { after: revision });
  let told: (step: number) => void = () => {};
  const reading = (async () => {
    for await (const { events } of watch) {
      for (const { value } of events) told(Number.parseInt(Buffer.from(value ?? []).toString(), 10));
    }
  })();
  const delays = await pacedDelays(
    async (step) => {
      expect = (await writer.commit({ key, value: contentOf(step), expect })).revision;
    },
    (tell) => {
      told = tell;
    },
  );
  watch.close();
  await reading;
  await Promise.all([writer.close(), reader.close()]);
  return delays;
}
