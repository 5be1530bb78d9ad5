import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '../../src/meta/index.ts';
import { type FaultRule, startServer, type IlkServer } from '../../src/testing/index.ts';
import { crdOf } from '../fixtures/crd.ts';

const version = (name: string, storage: boolean, field: string) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
    },
  },
});

const crd = crdOf('Garden', {
  versions: [version('v1', true, 'flower'), version('v1alpha1', false, 'bloom')],
});

/** What was called a bloom is a flower now. */
function convert(garden: KubeObject, apiVersion: string): object {
  const { flower, bloom, ...rest } = garden['spec'] as JsonObject;
  const name = flower ?? bloom ?? null;
  if (name === 'weed') throw new Error('weeds are no flowers');
  const spec = apiVersion.endsWith('/v1') ? { ...rest, flower: name } : { ...rest, bloom: name };
  return { ...garden, apiVersion, spec };
}

const conversions = { 'gardens.example.com': convert };
const path = (name: string) => `/apis/example.com/${name}/namespaces/default/gardens`;

async function plant(server: IlkServer, name: string, bloom: string) {
  const body = JSON.stringify({
    apiVersion: 'example.com/v1alpha1',
    kind: 'Garden',
    metadata: { name },
    spec: { bloom },
  });
  const headers = { 'content-type': 'application/json' };
  const answer = await server.fetch(path('v1alpha1'), { method: 'POST', headers, body });
  return { code: answer.status, body: JSON.parse(await answer.text()) };
}

async function specOf(server: IlkServer, name: string, inVersion: string) {
  const answer = await server.fetch(`${path(inVersion)}/${name}`);
  const body = JSON.parse(await answer.text());
  return body.spec ?? body.message;
}

test('a function converts, in the server and in its forks, for as long as one of them is there', async () => {
  const server = await startServer({ crds: [crd], conversions });
  expect((await plant(server, 'roses', 'rose')).code).toBe(201);
  expect(await specOf(server, 'roses', 'v1')).toEqual({ flower: 'rose' });
  expect(await specOf(server, 'roses', 'v1alpha1')).toEqual({ bloom: 'rose' });
  const fork = await server.fork();
  const snapshot = await fork.snapshot();
  await server.close();
  expect((await plant(fork, 'tulips', 'tulip')).code).toBe(201);
  await fork.close();
  await using late = await snapshot.fork();
  expect(await specOf(late, 'roses', 'v1alpha1')).toEqual({ bloom: 'rose' });
});

test('the client gets the error of a function', async () => {
  await using server = await startServer({ crds: [crd], conversions });
  const { code, body } = await plant(server, 'wild', 'weed');
  expect([code, body.message]).toEqual([
    500,
    'conversion webhook for example.com/v1alpha1, Kind=Garden failed: weeds are no flowers',
  ]);
});

test('a function without its CRD is refused', async () => {
  const starting = startServer({ crds: [crd], conversions: { 'roses.example.com': convert } });
  await expect(starting).rejects.toThrow('conversions: there is no CRD "roses.example.com" among crds');
});

/** The results of a number of writes with conversion, `.` for success. */
async function pattern(server: IlkServer, rule: FaultRule, times: number): Promise<string> {
  await using fork = await server.fork();
  fork.faults.add(rule);
  let ends = '';
  for (let time = 0; time < times; time += 1) {
    ends += (await plant(fork, `g${time}`, 'rose')).code === 201 ? '.' : 'x';
  }
  return ends;
}

test('a webhook fails on demand: so often, by chance, for one kind', async () => {
  await using server = await startServer({ crds: [crd], conversions });
  const fault = 'webhook';
  expect(await pattern(server, { fault, count: 2 }, 4)).toBe('xx..');
  const chance = { fault, probability: 0.5, seed: 7 } as const;
  expect(await pattern(server, chance, 8)).toBe(await pattern(server, chance, 8));
  expect(
    await pattern(server, { fault, match: { resources: ['gardens'], groups: ['example.com'] } }, 1),
  ).toBe('x');
  expect(await pattern(server, { fault, match: { resources: ['ponds'] } }, 1)).toBe('.');
});

test('a webhook that fails on demand says so, and other faults leave it alone', async () => {
  await using server = await startServer({ crds: [crd], conversions });
  const head = 'conversion webhook for example.com/v1alpha1, Kind=Garden failed:';
  const gone = server.faults.add({ fault: 'webhook' });
  expect((await plant(server, 'a', 'rose')).body.message).toMatch(
    /failed: Post "https:\/\/127\.0\.0\.1:\d+\/convert\/gardens\.example\.com\?timeout=30s": injected fault$/,
  );
  expect([gone.seen, gone.hits]).toEqual([1, 1]);
  gone.remove();
  server.faults.add({ fault: 'webhook', code: 500, message: 'closed for the winter' });
  expect((await plant(server, 'a', 'rose')).body.message).toBe(
    `${head} an error on the server ("closed for the winter") has prevented the request from succeeding`,
  );
  server.faults.clear();
  server.faults.add({ fault: 'error', code: 500, match: { verbs: ['delete'] } });
  expect((await plant(server, 'a', 'rose')).code).toBe(201);
});

test('a rule about webhooks names groups and resources, and nothing that only requests have', async () => {
  await using server = await startServer({ crds: [crd], conversions });
  expect(() => server.faults.add({ fault: 'webhook', code: 200, match: { names: ['a'] } })).toThrow(
    'FaultRule "" is invalid: [match.names: Forbidden: unknown field, ' +
      'code: Invalid value: 200: must be greater than or equal to 400]',
  );
});
