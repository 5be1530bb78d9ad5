import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { encodeContinueToken, type KubeObject, limits } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { WatchStream } from './fixtures/watch-stream.ts';
import { widget, widgetCrd, widgetsPath } from './fixtures/widgets.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A server, and what a test does with it. */
class Shop {
  readonly server: IlkServer;
  readonly #streams: WatchStream[] = [];

  constructor(server: IlkServer) {
    this.server = server;
  }

  async call(method: string, path: string, body?: unknown, type = 'application/json') {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
    const response = await this.server.fetch(path, { method, ...init });
    const text = await response.text();
    return { code: response.status, body: JSON.parse(text) };
  }

  async #revision(method: string, path: string, body?: unknown, type?: string): Promise<number> {
    const answer = await this.call(method, path, body, type);
    expect(answer).toMatchObject({ code: method === 'POST' ? 201 : 200 });
    return Number(answer.body.metadata.resourceVersion);
  }

  create(name: string, color = 'blue', metadata: KubeObject = {}): Promise<number> {
    return this.#revision('POST', widgetsPath(), widget(name, { color }, metadata));
  }

  paint(name: string, color: string): Promise<number> {
    const patch = { spec: { color } };
    return this.#revision('PATCH', `${widgetsPath()}/${name}`, patch, 'application/merge-patch+json');
  }

  async remove(name: string): Promise<void> {
    expect((await this.call('DELETE', `${widgetsPath()}/${name}`)).code).toBe(200);
  }

  async list(query: Record<string, string | number>) {
    const { code, body } = await this.call('GET', `${widgetsPath()}?${queryText(query)}`);
    if (code !== 200) return { code, message: body.message, body };
    const names = body.items.map(
      ({ metadata, spec }: KubeObject) => `${Object(metadata).name} ${Object(spec).color}`,
    );
    const { remainingItemCount: remaining, resourceVersion } = body.metadata;
    return {
      code,
      names,
      remaining,
      revision: Number(resourceVersion),
      continue: body.metadata.continue,
      body,
    };
  }

  async watch(query: Record<string, string | number>, path = widgetsPath()): Promise<WatchStream> {
    const response = await this.server.fetch(`${path}?${queryText({ watch: 1, ...query })}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const stream = new WatchStream(response);
    this.#streams.push(stream);
    return stream;
  }

  async closeWatches(): Promise<void> {
    await Promise.all(this.#streams.splice(0).map((stream) => stream.close()));
  }
}

function queryText(query: Record<string, string | number>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

const listOptionsRefusal = (text: string) => ({
  code: 422,
  message: `ListOptions.meta.k8s.io "" is invalid: ${text}`,
});

/** Time stands still; tests move it. */
const clock = { ms: Date.UTC(2026, 0, 1), now: () => clock.ms };

/** Moves both clocks so that everything up to now is forgotten, by the live view and by the storage. */
async function forget(): Promise<void> {
  clock.ms += 2 * limits.watchWindowMs;
  await vi.advanceTimersByTimeAsync(2 * limits.compactionIntervalMs);
}

let shop: Shop;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  shop = new Shop(await startServer({ crds: [widgetCrd], clock }));
});
afterEach(async () => {
  await shop.closeWatches();
  await shop.server.close();
  vi.useRealTimers();
});

/** a, b, c at `old`; then d is new, a is red and b is gone. */
async function history() {
  const [a, b, c] = [await shop.create('a'), await shop.create('b'), await shop.create('c')];
  const old = c;
  const [d, red] = [await shop.create('d'), await shop.paint('a', 'red')];
  await shop.remove('b');
  return { a, b, c, old, d, red, gone: red + 1 };
}

const then = ['a blue', 'b blue', 'c blue'];
const now = ['a red', 'c blue', 'd blue'];

describe('list: resourceVersion, resourceVersionMatch, limit', () => {
  test('row by row', async () => {
    const { old, gone } = await history();
    const rows: [query: Record<string, string | number>, answer: object][] = [
      [{}, { names: now, revision: gone, continue: '' }],
      [
        { limit: 2 },
        { names: now.slice(0, 2), revision: gone, remaining: 1, continue: expect.stringMatching(/./) },
      ],
      [{ limit: 3 }, { names: now, revision: gone, remaining: undefined, continue: '' }],
      [{ resourceVersion: 0 }, { names: now, continue: '' }],
      [
        { resourceVersion: 0, limit: 1 },
        { names: now, remaining: undefined, continue: '' },
      ],
      [
        { resourceVersion: 0, resourceVersionMatch: 'NotOlderThan', limit: 1 },
        { names: now, continue: '' },
      ],
      [{ resourceVersion: old }, { names: now, revision: gone }],
      [
        { resourceVersion: old, limit: 2 },
        { names: then.slice(0, 2), revision: old, remaining: 1 },
      ],
      [
        { resourceVersion: old, resourceVersionMatch: 'NotOlderThan' },
        { names: now, revision: gone },
      ],
      [
        { resourceVersion: old, resourceVersionMatch: 'NotOlderThan', limit: 2 },
        { names: now.slice(0, 2), revision: gone, remaining: 1 },
      ],
      [
        { resourceVersion: old, resourceVersionMatch: 'Exact' },
        { names: then, revision: old },
      ],
      [
        { resourceVersion: old, resourceVersionMatch: 'Exact', limit: 2 },
        { names: then.slice(0, 2), revision: old, remaining: 1 },
      ],
      [
        { resourceVersionMatch: 'Exact' },
        listOptionsRefusal(
          'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
        ),
      ],
      [
        { resourceVersion: 0, resourceVersionMatch: 'Exact' },
        listOptionsRefusal(
          'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
        ),
      ],
      [
        { resourceVersion: 1, resourceVersionMatch: 'Newest' },
        listOptionsRefusal(
          'resourceVersionMatch: Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
        ),
      ],
      [
        { sendInitialEvents: 'true' },
        listOptionsRefusal('sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'),
      ],
      [
        { resourceVersion: 'x' },
        {
          code: 400,
          message:
            'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
        },
      ],
    ];
    for (const [query, answer] of rows) {
      expect([query, await shop.list(query)]).toEqual([query, expect.objectContaining(answer)]);
    }
  });

  test('a page goes on at the moment of the first one, whatever happens meanwhile', async () => {
    const { old, gone } = await history();
    const first = await shop.list({ resourceVersion: old, limit: 1 });
    expect(first).toMatchObject({ names: ['a blue'], remaining: 2, revision: old });
    const second = await shop.list({ limit: 1, continue: first.continue, resourceVersion: 0 });
    expect(second).toMatchObject({ names: ['b blue'], remaining: 1, revision: old });
    await shop.create('bb');
    const last = await shop.list({ limit: 5, continue: second.continue });
    expect(last).toMatchObject({ names: ['c blue'], remaining: undefined, revision: old, continue: '' });
    expect(await shop.list({ continue: first.continue, resourceVersion: gone })).toMatchObject({
      code: 400,
      message: 'specifying resource version is not allowed when using continue',
    });
    expect(
      await shop.list({ continue: first.continue, resourceVersion: gone, resourceVersionMatch: 'Exact' }),
    ).toMatchObject(
      listOptionsRefusal(
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
      ),
    );
  });

  test('a selector hides how many remain', async () => {
    await history();
    expect(await shop.list({ limit: 1, labelSelector: '!none' })).toMatchObject({
      names: ['a red'],
      remaining: undefined,
      continue: expect.stringMatching(/./),
    });
    const { body } = await shop.list({ limit: 1, fieldSelector: 'spec.color=blue' });
    expect(body.items[0].metadata.name).toBe('c');
    expect(Object.keys(body.metadata)).toEqual(['continue', 'resourceVersion']);
  });

  test('tokens that are none', async () => {
    expect(await shop.list({ continue: '###' })).toMatchObject({
      code: 400,
      message: expect.stringMatching(/^invalid continue token: continue key is not valid: /),
    });
    const future = Buffer.from('{"v":"meta.k8s.io/v9","rv":1,"start":"a"}').toString('base64url');
    expect(await shop.list({ continue: future })).toMatchObject({
      code: 400,
      message:
        'invalid continue token: continue key is not valid: server does not recognize this encoded version meta.k8s.io/v9',
    });
  });

  test('a moment that is forgotten: 410, and a token to go on with what there is', async () => {
    const { old } = await history();
    const first = await shop.list({ resourceVersion: old, limit: 1 });
    await forget();
    await shop.create('e');
    await forget();
    expect(await shop.list({ resourceVersion: old, resourceVersionMatch: 'Exact' })).toMatchObject({
      code: 410,
      message: 'The resourceVersion for the provided list is too old.',
      body: { reason: 'Expired' },
    });
    const expired = await shop.list({ continue: first.continue, limit: 2 });
    expect(expired).toMatchObject({ code: 410, body: { reason: 'Expired' } });
    expect(expired.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\./,
    );
    const rest = await shop.list({ continue: expired.body.metadata.continue, limit: 2 });
    expect(rest).toMatchObject({ names: ['c blue', 'd blue'], remaining: 1 });
    expect(await shop.list({ continue: rest.continue, limit: 2 })).toMatchObject({ names: ['e blue'] });
    const latest = encodeContinueToken({ revision: -1, startKey: 'd\0' });
    expect(await shop.list({ continue: latest })).toMatchObject({ names: ['e blue'], continue: '' });
  });

  test('a moment that has not come: 504 after a while', async () => {
    const { gone } = await history();
    const late = gone + 1_000;
    const answers = await Promise.all([
      shop.list({ resourceVersion: late }),
      shop.list({ resourceVersion: late, resourceVersionMatch: 'Exact' }),
      shop.list({ resourceVersion: late, resourceVersionMatch: 'NotOlderThan', limit: 1 }),
      shop.call('GET', `${widgetsPath()}/a?resourceVersion=${late}`),
    ]);
    for (const { body } of answers) {
      expect(body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `Timeout: Too large resource version: ${late}, current: ${gone}`,
        reason: 'Timeout',
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
        code: 504,
      });
    }
  });

  test('a moment that comes while a list waits', async () => {
    const { gone } = await history();
    const waiting = shop.list({ resourceVersion: gone + 1 });
    await shop.create('e');
    expect(await waiting).toMatchObject({ names: [...now, 'e blue'], revision: gone + 1 });
  });
});

describe('watch: where it starts', () => {
  test.each([{}, { resourceVersion: 0 }])('%j: what there is, then what happens', async (query) => {
    const { c, d, red } = await history();
    const stream = await shop.watch(query);
    expect(await stream.take(3)).toEqual([`ADDED a red ${red}`, `ADDED c blue ${c}`, `ADDED d blue ${d}`]);
    const next = await shop.create('e');
    expect(await stream.take(1)).toEqual([`ADDED e blue ${next}`]);
  });

  test('a revision: what happened after it', async () => {
    const { old, d, red, gone } = await history();
    const stream = await shop.watch({ resourceVersion: old });
    expect(await stream.take(3)).toEqual([
      `ADDED d blue ${d}`,
      `MODIFIED a red ${red}`,
      `DELETED b blue ${gone}`,
    ]);
  });

  test('a revision that has not come: nothing up to it', async () => {
    const { gone } = await history();
    const stream = await shop.watch({ resourceVersion: gone + 1 });
    await shop.create('e');
    const second = await shop.create('f');
    expect(await stream.take(1)).toEqual([`ADDED f blue ${second}`]);
  });

  test('sendInitialEvents=true ends the state with a bookmark', async () => {
    const { c, d, red, gone } = await history();
    const state = [`ADDED a red ${red}`, `ADDED c blue ${c}`, `ADDED d blue ${d}`];
    const streaming = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };
    for (const from of [{}, { resourceVersion: 0 }, { resourceVersion: gone }]) {
      const stream = await shop.watch({ ...streaming, ...from, allowWatchBookmarks: 'true' });
      expect(await stream.take(4)).toEqual([...state, `BOOKMARK initial-events-end ${gone}`]);
    }
    const unmarked = await shop.watch(streaming);
    expect(await unmarked.take(3)).toEqual(state);
    const next = await shop.create('e');
    expect(await unmarked.take(1)).toEqual([`ADDED e blue ${next}`]);
  });

  test('the bookmark at the end of the state, word for word', async () => {
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const response = await shop.server.fetch(`${widgetsPath()}?${query}`);
    const stream = new WatchStream(response);
    const { body } = await shop.list({});
    expect(await stream.next()).toEqual({
      type: 'BOOKMARK',
      object: {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: {
          annotations: { 'k8s.io/initial-events-end': 'true' },
          resourceVersion: body.metadata.resourceVersion,
        },
      },
    });
    await stream.close();
  });

  test('sendInitialEvents=false: no state', async () => {
    const { old, d, red, gone } = await history();
    const quiet = { sendInitialEvents: 'false', resourceVersionMatch: 'NotOlderThan' };
    const past = await shop.watch({ ...quiet, resourceVersion: old });
    expect(await past.take(3)).toEqual([
      `ADDED d blue ${d}`,
      `MODIFIED a red ${red}`,
      `DELETED b blue ${gone}`,
    ]);
    const streams = [await shop.watch({ ...quiet, resourceVersion: 0 }), await shop.watch(quiet)];
    const next = await shop.create('e');
    for (const stream of streams) expect(await stream.take(1)).toEqual([`ADDED e blue ${next}`]);
  });

  test.each([
    [
      { sendInitialEvents: 'true' },
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      { resourceVersion: 1, resourceVersionMatch: 'NotOlderThan' },
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
  ])('%j is refused', async (query, text) => {
    expect(await shop.list({ watch: 1, ...query })).toMatchObject(listOptionsRefusal(text));
  });

  test('a resourceVersion that is no number', async () => {
    expect(await shop.list({ watch: 1, resourceVersion: 'x' })).toMatchObject({
      code: 500,
      message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    });
  });

  test('a revision that is forgotten: an ERROR event, and the end', async () => {
    const { old } = await history();
    await forget();
    await shop.create('e');
    await forget();
    const stream = await shop.watch({ resourceVersion: old });
    expect(await stream.next()).toEqual({
      type: 'ERROR',
      object: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: expect.stringMatching(new RegExp(`^too old resource version: ${old} \\(\\d+\\)$`)),
        reason: 'Expired',
        code: 410,
      },
    });
    expect(await stream.next()).toBeUndefined();
  });
});

describe('watch: what it tells', () => {
  test('an object comes into a selection and leaves it', async () => {
    const blue = await shop.watch({ fieldSelector: 'spec.color=blue' });
    const first = await shop.create('a', 'red');
    const [painted, again] = [await shop.paint('a', 'blue'), await shop.paint('a', 'green')];
    await shop.paint('a', 'blue');
    await shop.remove('a');
    expect(painted).toBe(first + 1);
    expect(await blue.take(4)).toEqual([
      `ADDED a blue ${painted}`,
      `DELETED a blue ${again}`,
      `ADDED a blue ${again + 1}`,
      `DELETED a blue ${again + 2}`,
    ]);
  });

  test('labels and fields together; other namespaces; one name', async () => {
    const streams = await Promise.all([
      shop.watch({ labelSelector: 'shelf=top', fieldSelector: 'spec.color!=red' }),
      shop.watch({ fieldSelector: 'metadata.name=b' }),
      shop.watch({}, '/apis/example.com/v1/watch/namespaces/default/widgets/b'),
      shop.watch(
        { fieldSelector: 'metadata.namespace=default,metadata.name=b' },
        '/apis/example.com/v1/widgets',
      ),
    ]);
    await shop.call('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    await shop.call('POST', widgetsPath('other'), widget('b'));
    await shop.create('a', 'red', { labels: { shelf: 'top' } });
    const b = await shop.create('b', 'blue', { labels: { shelf: 'top' } });
    for (const stream of streams) expect(await stream.take(1)).toEqual([`ADDED b blue ${b}`]);
  });

  test('a name in the path: a get, except in the old paths of watches', async () => {
    expect(await shop.call('GET', `${widgetsPath()}/a?watch=1`)).toMatchObject({ code: 404 });
    const old = '/apis/example.com/v1/watch/namespaces/default/widgets/a';
    const { code, body } = await shop.call('GET', `${old}?fieldSelector=metadata.name%3Db`);
    expect([code, body.message]).toEqual([400, "fieldSelector metadata.name doesn't match requested name"]);
  });

  test('YAML has no stream', async () => {
    const headers = { accept: 'application/yaml' };
    const response = await shop.server.fetch(`${widgetsPath()}?watch=1`, { headers });
    expect([response.status, await response.text()]).toEqual([
      406,
      expect.stringContaining('only the following media types are accepted: application/json;stream=watch'),
    ]);
  });

  test('as tables: columns come once', async () => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const stream = new WatchStream(await shop.server.fetch(`${widgetsPath()}?watch=1`, { headers }));
    await shop.create('a');
    await shop.create('b', 'red');
    const tables = [await stream.next(), await stream.next()].map((event) => Object(event?.object));
    expect(
      tables.map(({ columnDefinitions, rows }) => [columnDefinitions?.length ?? null, rows[0].cells]),
    ).toEqual([
      [3, ['a', 'blue', null]],
      [null, ['b', 'red', null]],
    ]);
    await stream.close();
  });
});

describe('watch: bookmarks and ends', () => {
  test('a quiet watch gets bookmarks, if it allows them', async () => {
    const { gone } = await history();
    const marked = await shop.watch({ resourceVersion: gone, allowWatchBookmarks: 'true' });
    const unmarked = await shop.watch({ resourceVersion: gone });
    const reads = [marked.take(1), unmarked.take(1)];
    // A change outside both watches: the bookmark is beyond the last event.
    await shop.call('POST', '/api/v1/namespaces', { metadata: { name: 'elsewhere' } });
    const { revision } = await shop.list({});
    await vi.advanceTimersByTimeAsync(limits.bookmarkIntervalMs);
    expect(await reads[0]).toEqual([`BOOKMARK ${revision}`]);
    const next = await shop.create('e');
    expect(await reads[1]).toEqual([`ADDED e blue ${next}`]);
  });

  test('timeoutSeconds ends it, after a last bookmark', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { gone } = await history();
    const stream = await shop.watch({
      resourceVersion: gone,
      allowWatchBookmarks: 'true',
      timeoutSeconds: 10,
    });
    const rest = stream.rest();
    await shop.list({});
    await vi.advanceTimersByTimeAsync(8_000);
    await shop.list({});
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await rest).toEqual([`BOOKMARK ${gone}`]);
  });

  test('a negative timeoutSeconds ends it at once', async () => {
    const stream = await shop.watch({ resourceVersion: '0', timeoutSeconds: -1 });
    expect(await stream.rest()).toEqual([]);
  });

  test('a change of the CRD ends it cleanly; the client comes back to what it knows', async () => {
    const revision = await shop.create('a');
    const stream = await shop.watch({});
    expect(await stream.take(1)).toEqual([`ADDED a blue ${revision}`]);
    const rest = stream.rest();
    const names = { ...Object(widgetCrd['spec']).names, shortNames: ['wg'] };
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
    await shop.call('PATCH', path, { spec: { names } }, 'application/merge-patch+json');
    expect(await rest).toEqual([]);
    // The names are accepted by a controller, which is another change.
    await expect
      .poll(async () => JSON.stringify(await shop.call('GET', path)).split('"shortNames":["wg"]').length)
      .toBe(3);
    const again = await shop.watch({ resourceVersion: revision });
    const next = await shop.paint('a', 'red');
    expect(await again.take(1)).toEqual([`MODIFIED a red ${next}`]);
  });

  test('deleting the CRD tells that all objects are gone, then ends it', async () => {
    await shop.create('a');
    const stream = await shop.watch({});
    expect(await stream.take(1)).toEqual([expect.stringMatching(/^ADDED a blue/)]);
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
    await shop.call('DELETE', path);
    expect(await stream.rest()).toEqual([expect.stringMatching(/^DELETED a blue \d+$/)]);
  });

  test('the end of the server is a clean end of the stream', async () => {
    const stream = await shop.watch({});
    const rest = stream.rest();
    await shop.server.close();
    expect(await rest).toEqual([]);
  });
});

describe('watch: over a socket', () => {
  const updates = 5_000;

  function open(path: string): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${/token: "?([\w-]+)/.exec(shop.server.kubeconfig)?.[1]}` };
    return new Promise((resolve, reject) => {
      httpGet(`${shop.server.url}${path}`, { headers, agent: false }, resolve).on('error', reject);
    });
  }

  test('clients that do not read block no others and cost little; they may catch up', async () => {
    // A kilobyte and more for each event: what is not read does not fit into the buffers of a socket.
    const annotations = { padding: 'x'.repeat(1_000) };
    const names = Array.from({ length: 50 }, (_, index) => `busy-${index}`);
    for (const name of names) await shop.create(name, 'blue', { annotations });
    const { revision } = await shop.list({});
    const path = `${widgetsPath()}?watch=1&resourceVersion=${revision}`;
    const fast = await open(path);
    const [slow] = await Promise.all(Array.from({ length: 60 }, () => open(path)));
    const reading = (async () => {
      let lines = 0;
      for await (const piece of fast) {
        lines += String(piece).split('\n').length - 1;
        if (lines === updates) return lines;
      }
      return lines;
    })();
    const before = bytesInUse();
    for (let round = 0; round < updates / names.length; round += 1) {
      await Promise.all(names.map((name) => shop.paint(name, round % 2 === 0 ? 'red' : 'green')));
    }
    expect(await reading).toBe(updates);
    // What is kept, the log and the window keep once for all: a copy for each slow client would be 60 times 6 MB, a full queue each 60 times 1 MB.
    expect(bytesInUse() - before).toBeLessThan(110e6);
    if (slow === undefined) throw new Error('there are slow clients');
    let seen = 0;
    let last = '';
    slow.setEncoding('utf8');
    for await (const piece of slow) {
      const lines = (last + piece).split('\n');
      last = lines.pop() ?? '';
      seen += lines.length;
      if (seen === updates) break;
    }
    expect(seen).toBe(updates);
  });

  test('a client that goes away leaves nothing behind', async () => {
    const watch = await open(`${widgetsPath()}?watch=1`);
    watch.resume();
    const closed = once(watch, 'close');
    watch.destroy();
    await closed;
    expect((await shop.list({})).code).toBe(200);
  });
});
