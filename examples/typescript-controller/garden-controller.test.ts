import { CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { type ServerFixtures, type IlkServer, vitestFixtures } from 'ilk-apiserver/testing';
import { test as base, describe, expect, vi } from 'vitest';
import { type Garden, GardenController } from './garden-controller.ts';

/** One server for the file, and a fork of it for each test: tests do not see each other's gardens. */
const test = base.extend<ServerFixtures>(
  vitestFixtures({ crds: [new URL('./config/crd', import.meta.url)] }),
);
const place = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'gardens' };

/** A running controller, its server, and a client. */
async function atWork(server: IlkServer) {
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const api = config.makeApiClient(CustomObjectsApi);
  const harvested: string[] = [];
  const controller = new GardenController(config, (name) => harvested.push(name));
  await controller.start();
  const create = (name: string, rows: number) =>
    api.createNamespacedCustomObject({
      ...place,
      body: { apiVersion: 'example.com/v1', kind: 'Garden', metadata: { name }, spec: { rows } },
    });
  const read = (name: string): Promise<Garden> => api.getNamespacedCustomObject({ ...place, name });
  const planted = (name: string, rows: number) =>
    vi.waitFor(async () => expect((await read(name)).status).toEqual({ planted: rows }), 10_000);
  return { api, harvested, create, read, planted, [Symbol.asyncDispose]: () => controller.stop() };
}

test('rows are planted, and harvested before the garden goes', async ({ server }) => {
  await using garden = await atWork(server);
  await garden.create('roses', 3);
  await garden.planted('roses', 3);
  await garden.api.deleteNamespacedCustomObject({ ...place, name: 'roses' });
  await vi.waitFor(() => expect(garden.read('roses')).rejects.toMatchObject({ code: 404 }), 10_000);
  expect(garden.harvested).toEqual(['roses']);
});

test('a garden that is too large never gets to the controller', async ({ server }) => {
  await using garden = await atWork(server);
  const refused = {
    code: 422,
    body: expect.stringContaining('spec.rows in body should be less than or equal to 12'),
  };
  await expect(garden.create('large', 13)).rejects.toMatchObject(refused);
});

describe('the controller gets over', () => {
  test('a conflict with another writer', async ({ server }) => {
    const conflicts = server.faults.add({
      fault: 'conflict',
      count: 2,
      match: { resources: ['gardens', 'gardens/status'] },
    });
    await using garden = await atWork(server);
    await garden.create('busy', 2);
    await garden.planted('busy', 2);
    expect(conflicts.hits).toBe(2);
  });

  test('a past that is forgotten, and connections that break', async ({ server }) => {
    await using garden = await atWork(server);
    await garden.create('before', 1);
    await garden.planted('before', 1);
    server.faults.add({ fault: 'expired', open: true, count: 1 });
    server.faults.add({ fault: 'drop', count: 2, match: { verbs: ['list', 'watch'] } });
    await garden.create('after', 2);
    await garden.planted('after', 2);
  });

  test('a server that has enough to do', async ({ server }) => {
    server.faults.add({ fault: 'tooManyRequests', count: 1, match: { verbs: ['update'] } });
    server.faults.add({ fault: 'error', code: 500, probability: 0.3, seed: 7, match: { verbs: ['update'] } });
    await using garden = await atWork(server);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await garden.create(name, 4);
    for (const name of names) await garden.planted(name, 4);
  });
});
