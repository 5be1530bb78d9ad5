import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../src/meta/index.ts';
import { Api } from './controllers/api.ts';
import { widget, widgetCrd, widgetsPath } from './fixtures/widgets.ts';

const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const apply = 'application/apply-patch+yaml';

let api: Api;
beforeAll(async () => {
  const open: KubeObject = JSON.parse(
    JSON.stringify(widgetCrd).replace(
      '"type":"object","properties":{"color"',
      '"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"color"',
    ),
  );
  api = await Api.start({ crds: [open], disableControllers: ['garbage-collector'] });
});
afterAll(async () => {
  expect(api.troubles).toEqual([]);
  await api[Symbol.asyncDispose]();
});

async function made(name: string, spec: KubeObject): Promise<string> {
  await api.create(widgetsPath(), widget(name, spec));
  return `${widgetsPath()}/${name}`;
}
const specOf = async (path: string) => (await api.get(path)).body.spec;

describe('a JSON patch', () => {
  test('of all operations, one after the other', async () => {
    const path = await made('all', { color: 'blue', list: ['a', 'b'], map: { 'a/b': 1, '~': 2 } });
    const operations = [
      { op: 'test', path: '/spec/color', value: 'blue' },
      { op: 'add', path: '/spec/list/1', value: 'x' },
      { op: 'add', path: '/spec/list/-', value: 'y' },
      { op: 'replace', path: '/spec/map/a~1b', value: 3 },
      { op: 'move', from: '/spec/map/~0', path: '/spec/moved' },
      { op: 'copy', from: '/spec/list', path: '/spec/copied' },
      { op: 'remove', path: '/spec/list/0' },
    ];
    const { code, body } = await api.call('PATCH', path, operations, json);
    expect([code, body.spec]).toEqual([
      200,
      {
        color: 'blue',
        copied: ['a', 'x', 'b', 'y'],
        list: ['x', 'b', 'y'],
        map: { 'a/b': 3 },
        moved: 2,
      },
    ]);
  });

  test('that fails changes nothing, not even what came before', async () => {
    const path = await made('failing', { color: 'blue' });
    const before = await api.get(path);
    const { code, body } = await api.call(
      'PATCH',
      path,
      [
        { op: 'replace', path: '/spec/color', value: 'red' },
        { op: 'test', path: '/spec/color', value: 'blue' },
      ],
      json,
    );
    expect([code, body]).toEqual([
      422,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'the server rejected our request due to an error in our request',
        reason: 'Invalid',
        details: {},
        code: 422,
      },
    ]);
    expect(await api.get(path)).toEqual(before);
  });

  test('of ten thousand operations, and of one more', async () => {
    const path = await made('long', {});
    const operations = Array.from({ length: 10_000 }, (_, value) => ({
      op: 'add',
      path: '/spec/last',
      value,
    }));
    expect((await api.call('PATCH', path, operations, json)).body.spec).toEqual({ last: 9_999 });
    const { code, body } = await api.call('PATCH', path, [...operations, operations[0]], json);
    expect([code, body.message]).toEqual([
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ]);
  });

  test('cannot build step by step what no body may be', async () => {
    const path = await made('deep', { k: {} });
    const deep = (levels: number): KubeObject => (levels === 1 ? {} : { k: deep(levels - 1) });
    const grow = (at: number, value: KubeObject) =>
      api.call('PATCH', path, [{ op: 'add', path: `/spec${'/k'.repeat(at)}`, value }], json);
    expect((await grow(1, deep(600))).code).toBe(200);
    // The object, its spec and 600 levels: 398 are left of a thousand.
    expect((await grow(601, deep(398))).code).toBe(200);
    const { code, body } = await grow(999, {});
    expect([code, body.message]).toEqual([
      422,
      ' "" is invalid: patch: Invalid value: "": exceeded max depth of 1000',
    ]);
  });
});

describe('patches and those who write at the same time', () => {
  const writers = Array.from({ length: 8 }, (_, at) => at);
  const rounds = 10;

  /** Everybody patches what is theirs, round by round, while the rest does the same. */
  async function race(path: string, write: (writer: number, round: number) => [body: unknown, type: string]) {
    const oneWriter = async (writer: number) => {
      for (let round = 1; round <= rounds; round += 1) {
        const [body, type] = write(writer, round);
        const at = type === apply ? `${path}?fieldManager=w${writer}` : path;
        const { code, body: answer } = await api.call('PATCH', at, body, type);
        expect([code, answer.message]).toEqual([200, undefined]);
      }
    };
    await Promise.all(writers.map(oneWriter));
    const last = Object.fromEntries(writers.map((writer) => [`w${writer}`, rounds]));
    expect((await api.get(path)).body.spec).toMatchObject(last);
  }
  const field = (writer: number, round: number) => ({ [`w${writer}`]: round });

  test('merge patches lose nothing', async () => {
    await race(await made('raced-merge', {}), (writer, round) => [{ spec: field(writer, round) }, merge]);
  });

  test('JSON patches lose nothing', async () => {
    await race(await made('raced-json', {}), (writer, value) => [
      [{ op: 'add', path: `/spec/w${writer}`, value }],
      json,
    ]);
  });

  test('applies lose nothing, nor take from each other', async () => {
    await race(await made('raced-apply', {}), (writer, round) => [
      widget('raced-apply', field(writer, round)),
      apply,
    ]);
  });

  test('all of them together', async () => {
    await race(await made('raced-all', {}), (writer, round) => {
      if (writer % 3 === 0) return [{ spec: field(writer, round) }, merge];
      if (writer % 3 === 1) return [[{ op: 'add', path: `/spec/w${writer}`, value: round }], json];
      return [widget('raced-all', field(writer, round)), apply];
    });
  });

  test('a test is of the latest state: each number is taken once', async () => {
    const path = await made('counted', { count: 0 });
    const taken: number[] = [];
    const take = async () => {
      for (;;) {
        const { count } = await specOf(path);
        if (count === 40) return;
        const operations = [
          { op: 'test', path: '/spec/count', value: count },
          { op: 'replace', path: '/spec/count', value: count + 1 },
        ];
        const { code } = await api.call('PATCH', path, operations, json);
        expect([200, 422]).toContain(code);
        if (code === 200) taken.push(count);
      }
    };
    await Promise.all(writers.map(take));
    expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at));
  });

  test.each([merge, json, apply])('a resourceVersion in it is a lock: %s', async (type) => {
    const name = `locked-${type.replaceAll(/\W/g, '-')}`;
    const path = await made(name, { color: 'blue' });
    const { resourceVersion } = (await api.get(path)).body.metadata;
    const bodies: Record<string, unknown> = {
      [merge]: { metadata: { resourceVersion }, spec: { color: 'red' } },
      [json]: [
        { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
        { op: 'replace', path: '/spec/color', value: 'red' },
      ],
      [apply]: widget(name, { color: 'red' }, { resourceVersion }),
    };
    const at = type === apply ? `${path}?fieldManager=me&force=true` : path;
    const write = () => api.call('PATCH', at, bodies[type], type);
    expect((await write()).body.spec).toEqual({ color: 'red' });
    const { code, body } = await write();
    expect([code, body.reason, body.message]).toEqual([
      409,
      'Conflict',
      `Operation cannot be fulfilled on widgets.example.com "${name}": the object has been modified; please apply ` +
        'your changes to the latest version and try again',
    ]);
  });
});

describe('a dry run', () => {
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';

  test.each([
    [merge, { spec: { color: 'red' } }],
    [json, [{ op: 'replace', path: '/spec/color', value: 'red' }]],
    [apply, widget('dry', { color: 'red' })],
  ])('of %s answers as if, and stores nothing', async (type, body) => {
    const path = `${widgetsPath()}/dry`;
    if ((await api.get(path)).code === 404) await made('dry', { color: 'blue' });
    const before = (await api.get(path)).body;
    const query = type === apply ? 'dryRun=All&fieldManager=me&force=true' : 'dryRun=All';
    const answer = await api.call('PATCH', `${path}?${query}`, body, type);
    expect(answer).toMatchObject({
      code: 200,
      body: { spec: { color: 'red' }, metadata: { generation: 2 } },
    });
    expect(answer.body.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect((await api.get(path)).body).toEqual(before);
    const invalid = await api.call('PATCH', `${path}?dryRun=All`, { spec: { color: 'grey' } }, merge);
    expect(invalid.code).toBe(422);
  });

  test('creates, updates and deletes nothing', async () => {
    const posted = await api.call('POST', `${widgetsPath()}?dryRun=All`, widget('ghost'));
    expect([posted.code, posted.body.metadata.uid]).toEqual([201, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    const applied = await api.call(
      'PATCH',
      `${widgetsPath()}/ghost?dryRun=All&fieldManager=me`,
      widget('ghost'),
      apply,
    );
    expect(applied.code).toBe(201);
    expect((await api.get(`${widgetsPath()}/ghost`)).code).toBe(404);
    const path = await made('solid', { color: 'blue' });
    const before = (await api.get(path)).body;
    const put = await api.call('PUT', `${path}?dryRun=All`, { ...before, spec: { color: 'red' } });
    expect(put.body.spec).toEqual({ color: 'red' });
    expect((await api.call('DELETE', `${path}?dryRun=All`)).code).toBe(200);
    expect((await api.call('DELETE', `${widgetsPath()}?dryRun=All`)).code).toBe(200);
    expect((await api.get(path)).body).toEqual(before);
  });

  test('of a strategic merge patch', async () => {
    const { body } = await api.call(
      'PATCH',
      `${crd}?dryRun=All`,
      { metadata: { labels: { a: 'b' } } },
      strategic,
    );
    expect(body.metadata.labels).toEqual({ a: 'b' });
    expect((await api.get(crd)).body.metadata.labels).toBeUndefined();
  });
});

describe('a strategic merge patch', () => {
  test('is not for custom resources, whatever their endpoint', async () => {
    const path = await made('unstrategic', {});
    for (const at of [path, `${path}/status`]) {
      const { code, body } = await api.call('PATCH', at, { spec: {} }, strategic);
      expect([code, body.message]).toEqual([
        415,
        'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      ]);
    }
  });

  test('of a CRD replaces its lists, and merges its maps', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
    const before = (await api.get(path)).body;
    const patch = {
      metadata: { labels: { l: '1' }, finalizers: ['example.com/a'] },
      spec: { names: { categories: ['x'] } },
    };
    const { code, body } = await api.call('PATCH', path, patch, strategic);
    expect(code).toBe(200);
    expect(body.spec).toEqual({ ...before.spec, names: { ...before.spec.names, categories: ['x'] } });
    const more = await api.call('PATCH', path, { metadata: { finalizers: ['example.com/b'] } }, strategic);
    expect(more.body.metadata.finalizers).toEqual(['example.com/b', 'example.com/a']);
    const none = {
      metadata: { finalizers: null },
      spec: { names: { categories: before.spec.names.categories } },
    };
    await api.call('PATCH', path, none, strategic);
  });

  test('of a Job merges conditions by type, which an apply owns as one', async () => {
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
    await api.create(jobs, { metadata: { name: 'done' }, spec: { template } });
    const condition = (type: string, status = 'True') => ({ type, status });
    const report = (...conditions: KubeObject[]) =>
      api.call('PATCH', `${jobs}/done/status`, { status: { conditions } }, strategic);
    await report(condition('Suspended'));
    const { body } = await report(condition('Complete'), condition('Suspended', 'False'));
    const times = { lastProbeTime: null, lastTransitionTime: null };
    expect(body.status.conditions).toEqual([
      { ...condition('Complete'), ...times },
      { ...condition('Suspended', 'False'), ...times },
    ]);
    const applied = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'done' },
      status: { conditions: [condition('Failed')] },
    };
    const { body: owned } = await api.call(
      'PATCH',
      `${jobs}/done/status?fieldManager=me&force=true`,
      applied,
      apply,
    );
    expect(owned.status.conditions).toEqual([{ ...condition('Failed'), ...times }]);
    expect(owned.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'me', fieldsV1: { 'f:status': { 'f:conditions': {} } } }),
    );
  });
});
