import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import '../undici-on-node-20.ts';
import { CustomObjectsApi, KubeConfig, V1MicroTime } from '@kubernetes/client-node';
import * as vitest from 'vitest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  FakeClock,
  forkPerTest,
  type ServerFixtures,
  startServer,
  vitestFixtures,
} from '../../src/testing/index.ts';
import { until } from '../controllers/api.ts';
import { collection, scalableWidgetCrd } from '../fixtures/scalable-widgets.ts';
import { widgetOf } from '../fixtures/widgets.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';

beforeAll(buildIfMissing);

const folder = mkdtempSync(join(tmpdir(), 'ilk-testing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const namesAt = async (server: { fetch(path: string): Promise<Response> }) => {
  const { items } = JSON.parse(await (await server.fetch(collection)).text());
  return items.map((one: { metadata: { name: string } }) => one.metadata.name);
};
const post = (object: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(object),
});

describe('objects from files', () => {
  mkdirSync(join(folder, 'crd'));
  mkdirSync(join(folder, 'objects'));
  const ignored = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ignored' } };
  writeFileSync(
    join(folder, 'crd', 'all.yaml'),
    `${JSON.stringify(ignored)}\n---\n${JSON.stringify(scalableWidgetCrd())}`,
  );
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    items: [widgetOf('a'), widgetOf('b', { status: { rows: 2 } })],
  };
  writeFileSync(join(folder, 'objects', 'list.json'), JSON.stringify(list));

  test('CRDs and objects stand in folders, files, file URLs and values', async () => {
    const crds = [join(folder, 'crd')];
    const objects = [pathToFileURL(join(folder, 'objects', 'list.json')), widgetOf('c')];
    await using server = await startServer({ crds, objects });
    expect(await namesAt(server)).toEqual(['a', 'b', 'c']);
    const b = JSON.parse(await (await server.fetch(`${collection}/b`)).text());
    expect(b.status).toEqual({ rows: 2 });
    expect((await server.fetch('/api/v1/namespaces/ignored')).status).toBe(404);
  });

  test('objects of a client library are taken as they would be sent: dates become texts, undefined goes', async () => {
    const object = {
      ...widgetOf('dated'),
      metadata: { name: 'dated', labels: undefined, annotations: { at: 'x' } },
    };
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { renewTime: new V1MicroTime('2026-01-02T03:04:05.678Z') },
    };
    await using server = await startServer({ crds: [scalableWidgetCrd()], objects: [object, lease] });
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
    const { spec } = JSON.parse(await (await server.fetch(path)).text());
    expect(spec.renewTime).toBe('2026-01-02T03:04:05.678000Z');
  });

  test('a file with an object that is refused is named', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, JSON.stringify(widgetOf('wrong', { spec: { size: 11 } })));
    await expect(startServer({ crds: [scalableWidgetCrd()], objects: [file] })).rejects.toThrow(
      `${file}: Widget wrong: Widget.example.com "wrong" is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10`,
    );
    await expect(startServer({ crds: [join(folder, 'none.yaml')] })).rejects.toThrow('none.yaml');
  });
});

describe('several users', () => {
  test('each has a fetch and a kubeconfig; who may do what is the authorizer', async () => {
    await using server = await startServer({
      crds: [scalableWidgetCrd()],
      authorizer: {
        authorize: ({ user, verb }) => ({
          verdict: user.groups.includes('widgeters') || verb === 'list' ? 'allow' : 'deny',
          reason: 'only widgeters touch widgets',
        }),
      },
    });
    const alice = server.as({ name: 'alice', groups: ['widgeters'] });
    const bob = server.as({ name: 'bob' });
    expect((await alice.fetch(collection, post(widgetOf('roses')))).status).toBe(201);
    const refused = await bob.fetch(collection, post(widgetOf('weeds')));
    expect(JSON.parse(await refused.text()).message).toBe(
      'widgets.example.com is forbidden: User "bob" cannot create resource "widgets" in API group ' +
        '"example.com" in the namespace "default": only widgeters touch widgets',
    );
    const config = new KubeConfig();
    config.loadFromString(bob.kubeconfig);
    const api = config.makeApiClient(CustomObjectsApi);
    const place = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'widgets' };
    expect((await api.listNamespacedCustomObject(place)).items).toHaveLength(1);
    await expect(api.deleteNamespacedCustomObject({ ...place, name: 'roses' })).rejects.toThrow(
      'cannot delete resource',
    );
  });

  test('without an authorizer only the masters may act', async () => {
    await using server = await startServer({ crds: [scalableWidgetCrd()] });
    expect((await server.as({ name: 'bob' }).fetch(collection)).status).toBe(403);
    expect((await server.as({ name: 'root', groups: ['system:masters'] }).fetch(collection)).status).toBe(
      200,
    );
  });
});

describe('a clock that stands still', () => {
  test('gives objects their times, and makes the past expire', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    await using server = await startServer({ crds: [scalableWidgetCrd()], clock });
    const created = JSON.parse(await (await server.fetch(collection, post(widgetOf('a')))).text());
    expect(created.metadata.creationTimestamp).toBe('2030-01-01T00:00:00Z');
    clock.advance(90_000);
    const later = JSON.parse(await (await server.fetch(collection, post(widgetOf('b')))).text());
    expect(later.metadata.creationTimestamp).toBe('2030-01-01T00:01:30Z');
    const watch = `${collection}?watch=true&resourceVersion=${created.metadata.resourceVersion}`;
    const before = new WatchStream(await server.fetch(watch));
    expect(await before.take(1)).toEqual([`ADDED b  ${later.metadata.resourceVersion}`]);
    await before.close();
    await server.fetch(collection, post(widgetOf('c')));
    // Twice the interval at which the past is forgotten; each goes through the store in turns of its own.
    for (const _ of [1, 2]) {
      clock.advance(5 * 60_000);
      await server.fetch(collection);
    }
    await until(async () => {
      const after = new WatchStream(await server.fetch(watch));
      const [line] = await after.take(1);
      await after.close();
      return line?.startsWith('ERROR 410 too old resource version') === true;
    });
  });

  test('ends watches and sends bookmarks', async () => {
    const clock = new FakeClock();
    await using server = await startServer({ crds: [scalableWidgetCrd()], clock });
    const { metadata } = JSON.parse(await (await server.fetch(collection)).text());
    const query = `allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=${metadata.resourceVersion}`;
    const watch = new WatchStream(await server.fetch(`${collection}?watch=true&${query}`));
    await server.fetch(collection, post(widgetOf('a')));
    // The watch runs, and its timers are set.
    expect(await watch.take(1)).toEqual([expect.stringContaining('ADDED a')]);
    clock.advance(60_000);
    expect(await watch.take(1)).toEqual([expect.stringMatching(/^BOOKMARK \d+$/)]);
    clock.advance(31_000);
    const rest = watch.rest();
    expect((await rest).every((line) => line.startsWith('BOOKMARK'))).toBe(true);
  });

  test('calls in order, each at its own time', () => {
    const clock = new FakeClock(0);
    const calls: string[] = [];
    const note = (name: string) => () => void calls.push(`${name}@${clock.now()}`);
    clock.every(40, note('every'));
    clock.after(50, () => clock.after(5, note('nested')));
    clock.after(50, note('after'));
    const cancel = clock.after(10, note('cancelled'));
    cancel();
    clock.advance(100);
    expect(calls).toEqual(['every@40', 'after@50', 'nested@55', 'every@80']);
    clock.set(120);
    expect([clock.now(), calls.at(-1)]).toEqual([120, 'every@120']);
    expect(() => clock.set(0)).toThrow('time goes forward: -120');
    expect(() => new FakeClock('tomorrow')).toThrow('not a time: tomorrow');
  });
});

const withServer = test.extend<ServerFixtures>(vitestFixtures({ crds: [scalableWidgetCrd()] }));

describe('fixtures', () => {
  describe.concurrent('for Vitest: a fork for each test', () => {
    for (const name of ['a', 'b', 'c']) {
      withServer(`${name} is alone`, async ({ server, expect }) => {
        await server.fetch(collection, post(widgetOf(name)));
        expect(await namesAt(server)).toEqual([name]);
      });
    }
  });

  describe('for runners with hooks', () => {
    const ilk = forkPerTest(vitest, { crds: [scalableWidgetCrd()], objects: [widgetOf('given')] });
    test.each(['a', 'b'])('%s is alone with what was given', async (name) => {
      await ilk.server.fetch(collection, post(widgetOf(name)));
      expect(await namesAt(ilk.server)).toEqual([name, 'given']);
    });
  });

  test('there is no server outside of a test', () => {
    const hook = () => undefined;
    const hooks = { before: hook, after: hook, beforeEach: hook, afterEach: hook };
    expect(() => forkPerTest(hooks).server).toThrow('there is a server only while a test runs');
  });

  test('node:test runs them too, in a process that ends by itself', async () => {
    const file = join(folder, 'with-node.test.mjs');
    const testing = new URL('../../dist/lib/testing.js', import.meta.url);
    writeFileSync(
      file,
      `import * as hooks from 'node:test';
       import assert from 'node:assert';
       import { forkPerTest } from ${JSON.stringify(testing.href)};
       const ilk = forkPerTest(hooks, { crds: [${JSON.stringify(scalableWidgetCrd())}] });
       for (const name of ['a', 'b']) hooks.test(name, async () => {
         const headers = { 'content-type': 'application/json' };
         const body = JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } });
         await ilk.server.fetch('${collection}', { method: 'POST', headers, body });
         const { items } = await (await ilk.server.fetch('${collection}')).json();
         assert.deepEqual(items.map(({ metadata }) => metadata.name), [name]);
       });`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', file]);
    expect(stdout).toMatch(/pass 2\n(?:.*\n)*?.*fail 0/);
  });
});
