import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, type ServerOptions, startServer } from '../../src/server.ts';
import { prefixRange, type Store } from '../../src/storage/index.ts';
import { type AdmissionFunction, startServer as startTestServer } from '../../src/testing/index.ts';
import { databases, type SharedDatabase } from './databases.test-support.ts';
import { call, leaderElection } from './replicas.test-support.ts';

const services = '/api/v1/namespaces/default/services';
/** 30 addresses: names often lead to the same one. */
const serviceClusterIpRange = '10.96.0.0/27';

const service = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

/** The last etcd, and PostgreSQL. */
const kinds = databases.filter(({ kind }, index) => kind !== databases[index + 1]?.kind);

describe.skipIf(kinds.length === 0).each(kinds)('services of two servers on one $name', (found) => {
  let database: SharedDatabase;
  let raw: Store;
  let a: IlkServer;
  let b: IlkServer;
  const options = (): ServerOptions => ({
    storage: database.storage,
    listen: false,
    leaderElection,
    serviceClusterIpRange,
  });

  beforeAll(async () => {
    database = await found.start();
    raw = await database.open();
    [a, b] = await Promise.all([startServer(options()), startServer(options())]);
  });
  afterAll(async () => {
    await a.close();
    await b.close();
    await raw.close();
    await database[Symbol.asyncDispose]();
  });

  const create = (server: IlkServer, name: string, spec: object = {}) =>
    call(server, 'POST', services, service(name, spec));
  const claims = async () => (await raw.list(prefixRange('/registry/ranges/claims/'))).records.length;

  async function removeAll(): Promise<void> {
    const { body } = await call(a, 'GET', services);
    for (const { metadata } of body.items) await call(a, 'DELETE', `${services}/${metadata.name}`);
    await expect.poll(claims).toBe(0);
  }

  test('that are made at once get an address each, down to the last one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const made = await Promise.all(
        Array.from({ length: 30 }, (_, index) => create(index % 2 === 0 ? a : b, `s${index}`)),
      );
      expect(made.map(({ code }) => code)).toEqual(Array(30).fill(201));
      expect(new Set(made.map(({ body }) => body.spec.clusterIP)).size).toBe(30);
      expect((await create(b, 'late')).body.message).toContain('range is full');
      await removeAll();
    }
  });

  test.each([
    ['address', { clusterIP: '10.96.0.9' }],
    ['node port', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }],
  ])('that ask for the same %s at once: one has it', async (_, spec) => {
    for (let round = 0; round < 10; round += 1) {
      const codes = await Promise.all([create(a, 'first', spec), create(b, 'second', spec)]);
      expect(codes.map(({ code }) => code).sort()).toEqual([201, 422]);
      await removeAll();
    }
  });

  test('that change at once to the same node port: one has it', async () => {
    await Promise.all([create(a, 'first'), create(b, 'second')]);
    const patch = (server: IlkServer, name: string) =>
      call(server, 'PATCH', `${services}/${name}`, {
        spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30_081 }] },
      });
    const codes = await Promise.all([patch(a, 'first'), patch(b, 'second')]);
    expect(codes.map(({ code }) => code).sort()).toEqual([200, 422]);
    await removeAll();
  });

  test('an address that another server has claimed is not free; after that server has gone, it is', async () => {
    const key = '/registry/ranges/claims/services/10.96.0.7';
    const claim = (madeMs: number) => Buffer.from(JSON.stringify({ madeMs }));
    await raw.commit({ key, value: claim(Date.now()), expect: 0 });
    const spec = { clusterIP: '10.96.0.7' };
    expect(await create(a, 'held', spec)).toMatchObject({
      code: 422,
      body: { message: expect.stringContaining('provided IP is already allocated') },
    });
    const { record } = await raw.get(key);
    await raw.commit({ key, value: claim(Date.now() - 60_000), expect: record?.modRevision ?? 0 });
    expect((await create(a, 'held', spec)).code).toBe(201);
    await removeAll();
  });

  test('a write whose claim was taken over meanwhile is a conflict', async () => {
    let isRobbed = true;
    const key = '/registry/ranges/claims/services/10.96.0.5';
    const takeOver: AdmissionFunction = {
      name: 'thief.example.com',
      phase: 'validating',
      admit: async () => {
        const { record } = await raw.get(key);
        if (isRobbed) await raw.commit({ key, value: Buffer.from('{}'), expect: record?.modRevision ?? 0 });
        return undefined;
      },
    };
    await using robbed = await startTestServer({ ...options(), webhooks: [takeOver] });
    const spec = { clusterIP: '10.96.0.5' };
    const { code, body } = await create(robbed, 'robbed', spec);
    expect([code, body.reason]).toEqual([409, 'Conflict']);
    expect((await call(a, 'GET', `${services}/robbed`)).code).toBe(404);
    isRobbed = false;
    expect((await create(robbed, 'robbed', spec)).code).toBe(201);
    await removeAll();
  });
});
