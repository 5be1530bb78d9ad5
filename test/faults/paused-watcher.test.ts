import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';
import type { Store } from '../../src/storage/index.ts';
import { databases, type SharedDatabase } from '../storage/databases.test-support.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { widget, widgetCrd, widgetsPath } from '../fixtures/widgets.ts';

/** More than is queued for one watcher. */
const changes = 3_000;
/** A call that is queued for long behind others fails: the disk may be busy. */
const writesAtOnce = 200;
/** Longer than a server remembers changes for its watchers. */
const pauseMs = 80_000;

describe.skipIf(databases.length === 0).each(databases)('$name is compacted', ({ start }) => {
  let database: SharedDatabase;
  let raw: Store;
  let server: IlkServer;
  let ahead = 0;
  beforeAll(async () => {
    database = await start();
    raw = await database.open();
    server = await startServer({
      storage: database.storage,
      listen: false,
      crds: [widgetCrd],
      clock: { now: () => Date.now() + ahead },
    });
  });
  afterAll(async () => {
    await server.close();
    await raw.close();
    await database[Symbol.asyncDispose]();
  });

  let round = 0;
  let namespace = '';
  let stream: WatchStream;
  /** What the watcher has to see. */
  let expected: string[];
  beforeEach(async () => {
    round += 1;
    namespace = `round-${round}`;
    const query = `watch=1&resourceVersion=${(await list()).metadata.resourceVersion}`;
    stream = new WatchStream(await server.fetch(`${widgetsPath(namespace)}?${query}`));
    expected = [];
    await write('first', 1);
    expect(await stream.take(1)).toEqual(expected);
    return () => stream.close();
  });

  /** Makes widgets behind the server's back, many at a time. */
  async function write(series: string, count: number): Promise<void> {
    for (let from = 0; from < count; from += writesAtOnce) {
      const indexes = Array.from({ length: Math.min(writesAtOnce, count - from) }, (_, at) => from + at);
      const made = await Promise.all(indexes.map((index) => commit(`${series}-${index}`)));
      made.sort((a, b) => a.revision - b.revision);
      expected.push(...made.map(({ name, revision }) => `ADDED ${name} red ${revision}`));
    }
  }

  async function commit(name: string): Promise<{ readonly name: string; readonly revision: number }> {
    const value = Buffer.from(JSON.stringify(widget(name, { color: 'red' }, { namespace })));
    const key = `/registry/example.com/widgets/${namespace}/${name}`;
    const { revision } = await raw.commit({ key, value, expect: 0 });
    return { name, revision };
  }

  /** From the view, which has everything by then. */
  async function list() {
    const path = `${widgetsPath(namespace)}?resourceVersion=${await raw.revision()}`;
    return JSON.parse(await (await server.fetch(path)).text());
  }

  const forgetAll = async () => raw.compact(await raw.revision());

  test('while a watcher does not read, for a while: it has every change when it reads again', async () => {
    await write('unread', changes);
    // Where the server itself had not seen all of it, its watchers would be told that it is gone.
    expect((await list()).items).toHaveLength(changes + 1);
    await forgetAll();
    await write('last', 1);
    expect(await stream.take(changes + 1)).toEqual(expected.slice(1));
  });

  test('while a watcher does not read for long: it keeps its events, and gets 410 for the rest', async () => {
    await write('unread', changes);
    ahead += pauseMs;
    await write('later', 1);
    // The server has all of it, and has forgotten what is too old.
    expect((await list()).items).toHaveLength(changes + 2);
    await forgetAll();
    const seen: string[] = [];
    let line = await stream.next();
    for (; line?.type === 'ADDED'; line = await stream.next()) {
      const { name, resourceVersion } = Object(line.object.metadata);
      seen.push(`ADDED ${name} red ${resourceVersion}`);
    }
    expect(line).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(seen).toEqual(expected.slice(1, seen.length + 1));
    expect(seen.length).toBeLessThan(changes);
    expect(await stream.next()).toBeUndefined();
  });
});
