import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { Api, objectOf, quiet, until } from '../controllers/api.ts';
import { crdOf } from '../fixtures/crd.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';

const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const names = (list: { items: { metadata: { name: string } }[] }) =>
  list.items.map((one) => one.metadata.name);
const namesAt = async (api: Api) => names((await api.get(widgets)).body);

async function startWidgets(...objects: string[]) {
  return Api.start({ crds: [crdOf('Widget')], objects: objects.map((name) => objectOf('Widget', name)) });
}

describe('a fork', () => {
  test('has what its parent has, and neither sees what is written to the other', async () => {
    await using parent = await startWidgets('a', 'b');
    await using first = await parent.fork();
    await using second = await parent.fork();
    await first.create(widgets, objectOf('Widget', 'first'));
    await second.delete(`${widgets}/a`);
    await parent.merge(`${widgets}/b`, { spec: { of: 'parent' } });
    expect(await namesAt(parent)).toEqual(['a', 'b']);
    expect(await namesAt(first)).toEqual(['a', 'b', 'first']);
    expect(await namesAt(second)).toEqual(['b']);
    expect((await first.get(`${widgets}/b`)).body.spec).toBeUndefined();
    expect(parent.troubles).toEqual([]);
  });

  test('shares the past of its parent, which a copy would not have', async () => {
    await using parent = await startWidgets('a');
    const { resourceVersion } = (await parent.get(widgets)).body.metadata;
    await parent.delete(`${widgets}/a`);
    await using fork = await parent.fork();
    const past = await fork.get(`${widgets}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    expect(names(past.body)).toEqual(['a']);
  });

  test('goes on from the resource versions of its parent', async () => {
    await using parent = await startWidgets('a');
    const before = (await parent.get(`${widgets}/a`)).body;
    await using fork = await parent.fork();
    expect((await fork.get(`${widgets}/a`)).body).toEqual(before);
    const there = (await parent.merge(`${widgets}/a`, { spec: {} })).metadata.resourceVersion;
    const here = (await fork.merge(`${widgets}/a`, { spec: {} })).metadata.resourceVersion;
    expect(here).toBe(there);
    expect(Number(here)).toBe(Number(before.metadata.resourceVersion) + 1);
  });

  test('has watches of its own, from before the fork on', async () => {
    await using parent = await startServer({
      crds: [crdOf('Widget')],
      objects: [objectOf('Widget', 'a')],
      listen: false,
    });
    const list = JSON.parse(await (await parent.fetch(widgets)).text());
    const body = (name: string) => JSON.stringify(objectOf('Widget', name));
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
    await parent.fetch(widgets, { ...post, body: body('both') });
    const path = `${widgets}?watch=true&resourceVersion=${list.metadata.resourceVersion}`;
    const theirs = new WatchStream(await parent.fetch(path));
    await using fork = await parent.fork();
    const ours = new WatchStream(await fork.fetch(path));
    await fork.fetch(widgets, { ...post, body: body('ours') });
    await parent.fetch(widgets, { ...post, body: body('theirs') });
    const shown = async (stream: WatchStream) => (await stream.take(2)).map((line) => line.split(' ')[1]);
    expect(await shown(ours)).toEqual(['both', 'ours']);
    expect(await shown(theirs)).toEqual(['both', 'theirs']);
    await Promise.all([ours.close(), theirs.close()]);
  });

  test('has a port of its own, with the same certificates', async () => {
    await using parent = await startServer({ listen: { host: '127.0.0.1', port: 0, tls: true } });
    await using fork = await parent.fork();
    expect(fork.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect([fork.url === parent.url, fork.caPem === parent.caPem]).toEqual([false, true]);
    const listen = { host: '127.0.0.1', port: 0, tls: false };
    await using plain = await parent.fork({ listen, anonymousAuth: true });
    expect((await fetch(`${plain.url}/readyz`)).status).toBe(200);
    await using silent = await parent.fork({ listen: false });
    expect([silent.url, silent.kubeconfig]).toEqual(['', '']);
  });

  test('outlives its parent, and can fork itself', async () => {
    const parent = await startWidgets('a');
    const child = await parent.fork();
    await child.create(widgets, objectOf('Widget', 'b'));
    await parent.close();
    await using grandchild = await child.fork();
    await child.close();
    await grandchild.create(widgets, objectOf('Widget', 'c'));
    expect(await namesAt(grandchild)).toEqual(['a', 'b', 'c']);
  });

  test('takes objects and CRDs on top of what is there', async () => {
    await using parent = await startWidgets('a');
    const objects = [crdOf('Gadget'), objectOf('Gadget', 'g'), objectOf('Widget', 'b')];
    await using fork = await parent.fork({ objects });
    expect(await namesAt(fork)).toEqual(['a', 'b']);
    expect(await fork.exists('/apis/example.com/v1/namespaces/default/gadgets/g')).toBe(true);
    expect((await parent.get('/apis/example.com/v1/namespaces/default/gadgets')).code).toBe(404);
  });

  test('can have a clock of its own', async () => {
    await using parent = await startWidgets();
    await using fork = await parent.fork({ clock: { now: () => Date.parse('2031-01-02T03:04:05Z') } });
    const { metadata } = await fork.create(widgets, objectOf('Widget', 'late'));
    expect(metadata.creationTimestamp).toBe('2031-01-02T03:04:05Z');
  });
});

describe('a snapshot', () => {
  test('is a moment that forks start from, whatever happens afterwards', async () => {
    await using server = await startServer({
      crds: [crdOf('Widget')],
      objects: [objectOf('Widget', 'a')],
      listen: false,
    });
    const snapshot = await server.snapshot();
    await server.fetch(`${widgets}/a`, { method: 'DELETE' });
    await using fork = await snapshot.fork();
    await fork.fetch(`${widgets}/a`, { method: 'DELETE' });
    await using other = await snapshot.fork();
    expect((await server.fetch(`${widgets}/a`)).status).toBe(404);
    expect((await fork.fetch(`${widgets}/a`)).status).toBe(404);
    expect((await other.fetch(`${widgets}/a`)).status).toBe(200);
  });

  test('of a server on SQLite is a copy in memory', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ilk-fork-'));
    try {
      const storage = { kind: 'sqlite', dataDir } as const;
      const crds = [crdOf('Widget')];
      await using parent = await Api.start({ storage, crds, objects: [objectOf('Widget', 'a')] });
      await using fork = await parent.fork();
      expect((await fork.get(`${widgets}/a`)).body).toEqual((await parent.get(`${widgets}/a`)).body);
      await fork.create(widgets, objectOf('Widget', 'b'));
      expect(await namesAt(parent)).toEqual(['a']);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });
});

describe('the controllers of a fork', () => {
  const dependentOf = (owner: { metadata: { name: string; uid: string } }) => ({
    ownerReferences: [
      { apiVersion: 'example.com/v1', kind: 'Widget', name: owner.metadata.name, uid: owner.metadata.uid },
    ],
  });

  test('establish CRDs, delete namespaces and collect garbage there, and only there', async () => {
    await using parent = await startWidgets();
    await parent.namespace('away');
    const owner = await parent.create(widgets, objectOf('Widget', 'owner'));
    await parent.create(widgets, objectOf('Widget', 'owned', dependentOf(owner)));
    await using fork = await parent.fork();
    await fork.delete('/api/v1/namespaces/away');
    await fork.delete(`${widgets}/owner`);
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await fork.create(crds, crdOf('Gadget'));
    await fork.gone('/api/v1/namespaces/away');
    await fork.gone(`${widgets}/owned`);
    await until(async () => (await fork.get('/apis/example.com/v1/gadgets')).code === 200);
    await fork.delete(`${crds}/widgets.example.com`);
    await fork.gone(`${crds}/widgets.example.com`);
    await quiet();
    expect(await namesAt(parent)).toEqual(['owned', 'owner']);
    expect(await parent.exists('/api/v1/namespaces/away')).toBe(true);
    expect(parent.troubles).toEqual([]);
  });

  test('go on with what was under way', async () => {
    await using parent = await startWidgets();
    await parent.namespace('stuck');
    const inside = '/apis/example.com/v1/namespaces/stuck/widgets';
    await parent.create(inside, objectOf('Widget', 'held', { finalizers: ['example.com/hold'] }));
    await parent.delete('/api/v1/namespaces/stuck');
    await parent.settles('/api/v1/namespaces/stuck', ({ status }) => status.conditions?.length === 5);
    await using fork = await parent.fork();
    await fork.merge(`${inside}/held`, { metadata: { finalizers: null } });
    await fork.gone('/api/v1/namespaces/stuck');
    expect(await parent.exists('/api/v1/namespaces/stuck')).toBe(true);
  });

  test('see what was written just before the fork', async () => {
    await using parent = await startWidgets();
    await parent.namespace('away');
    // Neither waits for the other: the deletion is acknowledged, and no controller of the parent has seen it yet.
    await parent.delete('/api/v1/namespaces/away');
    await using fork = await parent.fork();
    await fork.gone('/api/v1/namespaces/away');
    await parent.gone('/api/v1/namespaces/away');
  });

  test('notice that an owner in the foreground is let go by a dependent that stops to block it', async () => {
    await using parent = await startWidgets();
    const owner = await parent.create(widgets, objectOf('Widget', 'owner'));
    const [reference] = dependentOf(owner).ownerReferences;
    const blocking = { ownerReferences: [{ ...reference, blockOwnerDeletion: true }], finalizers: ['a.b/c'] };
    await parent.create(widgets, objectOf('Widget', 'owned', blocking));
    await parent.delete(`${widgets}/owner`, { propagationPolicy: 'Foreground' });
    await parent.settles(`${widgets}/owned`, ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await quiet();
    await using fork = await parent.fork();
    await fork.merge(`${widgets}/owned`, { metadata: { ownerReferences: null } });
    await fork.gone(`${widgets}/owner`);
    expect(await parent.exists(`${widgets}/owner`)).toBe(true);
  });
});
