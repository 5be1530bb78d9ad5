import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestFilter } from '../../src/http/index.ts';
import type { JsonObject } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { WatchStream } from '../fixtures/watch-stream.ts';
import { type Answer, Api, objectOf, until } from './api.ts';
import { crdOf } from '../fixtures/crd.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const pathOf = (plural: string) => `${crds}/${plural}.example.com`;
const collection = (plural: string) => `/apis/example.com/v1/namespaces/default/${plural}`;

type Names = Partial<Record<'plural' | 'singular' | 'kind' | 'listKind', string>> & {
  readonly shortNames?: readonly string[];
};

/** A CRD of a plural, with some of its names replaced. */
function crdNamed(plural: string, names: Names = {}) {
  const crd = crdOf('Kind');
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
  const all = { plural, singular: plural, kind, listKind: `${kind}List`, ...names };
  return { ...crd, metadata: { name: `${plural}.example.com` }, spec: { ...crd.spec, names: all } };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** `NamesAccepted=True NoConflicts: no conflicts found`, in the order of the status. */
function conditionsOf(crd: Answer['body']): string[] {
  return (crd.status?.conditions ?? []).map(
    ({ type, status, reason, message }: Condition) => `${type}=${status} ${reason}: ${message}`,
  );
}

const accepted = [
  'NamesAccepted=True NoConflicts: no conflicts found',
  'Established=True InitialNamesAccepted: the initial names have been accepted',
];
const isAccepted = (crd: Answer['body']) => conditionsOf(crd).join() === accepted.join();

describe('names', () => {
  let api: Api;
  beforeAll(async () => {
    api = await Api.start();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const first = crdNamed('apples', {
    singular: 'apple',
    kind: 'Apple',
    listKind: 'AppleList',
    shortNames: ['ap'],
  });
  const conflicts: [reason: string, names: Names, message: string][] = [
    ['SingularConflict', { singular: 'apple' }, '"apple" is already in use'],
    ['ShortNamesConflict', { shortNames: ['ap', 'px'] }, '"ap" is already in use'],
    [
      'ShortNamesConflict',
      { shortNames: ['apples', 'ap'] },
      '["apples" is already in use, "ap" is already in use]',
    ],
    ['KindConflict', { kind: 'Apple' }, '"Apple" is already in use'],
    ['ListKindConflict', { listKind: 'AppleList' }, '"AppleList" is already in use'],
    ['ListKindConflict', { listKind: 'Apple' }, '"Apple" is already in use'],
  ];

  test.each(conflicts)('%s %j: not served, until the name is free', async (reason, names, message) => {
    await api.create(crds, first);
    await api.settles(pathOf('apples'), isAccepted);
    await api.create(crds, crdNamed('pears', names));
    const refused = await api.settles(pathOf('pears'), (crd) => conditionsOf(crd).length > 0);
    expect(conditionsOf(refused)).toEqual([
      `NamesAccepted=False ${reason}: ${message}`,
      'Established=False NotAccepted: not all names are accepted',
    ]);
    expect((await api.get(collection('pears'))).code).toBe(404);
    expect((await api.get('/apis/example.com/v1')).body.resources).toHaveLength(1);

    await api.delete(pathOf('apples'));
    await api.settles(pathOf('pears'), isAccepted);
    expect((await api.get(collection('pears'))).code).toBe(200);
    await api.delete(pathOf('pears'));
    await api.gone(pathOf('pears'));
  });

  test('a plural that is the short name of another: PluralConflict', async () => {
    await api.create(crds, crdNamed('apples', { shortNames: ['pears'] }));
    await api.settles(pathOf('apples'), isAccepted);
    await api.create(crds, crdNamed('pears', { singular: 'pear' }));
    const refused = await api.settles(pathOf('pears'), (crd) => conditionsOf(crd).length > 0);
    expect(conditionsOf(refused)[0]).toBe('NamesAccepted=False PluralConflict: "pears" is already in use');
    expect(refused.status.acceptedNames).toEqual({
      plural: '',
      singular: 'pear',
      kind: 'Pears',
      listKind: 'PearsList',
    });
    await api.merge(pathOf('apples'), { spec: { names: { shortNames: [] } } });
    await api.settles(pathOf('pears'), isAccepted);
    for (const plural of ['apples', 'pears']) {
      await api.delete(pathOf(plural));
      await api.gone(pathOf(plural));
    }
  });

  test('one that is established goes on under the names it has while it waits for another', async () => {
    await api.create(crds, crdNamed('apples', { shortNames: ['ap'] }));
    await api.create(crds, crdNamed('pears', { shortNames: ['pe'] }));
    await api.settles(pathOf('apples'), isAccepted);
    await api.settles(pathOf('pears'), isAccepted);
    await api.merge(pathOf('pears'), { spec: { names: { shortNames: ['ap', 'p'] } } });
    const waiting = await api.settles(pathOf('pears'), (crd) => !isAccepted(crd));
    expect(conditionsOf(waiting)).toEqual([
      'NamesAccepted=False ShortNamesConflict: "ap" is already in use',
      'Established=True InitialNamesAccepted: the initial names have been accepted',
    ]);
    expect(waiting.status.acceptedNames.shortNames).toEqual(['pe']);
    expect((await api.get(collection('pears'))).code).toBe(200);
    const { body } = await api.get('/apis/example.com/v1');
    expect(body.resources.map(({ shortNames }: { shortNames: string[] }) => shortNames)).toEqual([
      ['ap'],
      ['pe'],
    ]);

    await api.delete(pathOf('apples'));
    const free = await api.settles(pathOf('pears'), isAccepted);
    expect(free.status.acceptedNames.shortNames).toEqual(['ap', 'p']);
    await api.delete(pathOf('pears'));
    await api.gone(pathOf('pears'));
  });

  test('kind and scope may change until it is established', async () => {
    await api.create(crds, crdNamed('apples', { kind: 'Apple' }));
    await api.settles(pathOf('apples'), isAccepted);
    await api.create(crds, crdNamed('pears', { kind: 'Apple' }));
    await api.settles(pathOf('pears'), (crd) => conditionsOf(crd).length > 0);
    await api.merge(pathOf('pears'), { spec: { scope: 'Cluster', names: { kind: 'Pear' } } });
    await api.settles(pathOf('pears'), isAccepted);
    const one = { ...objectOf('Pear', 'one') };
    expect((await api.call('POST', '/apis/example.com/v1/pears', one)).code).toBe(201);
    expect((await api.call('POST', collection('pears'), one)).code).toBe(404);
  });
});

test('what is made of names and group, and what objects are stored by, cannot change', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  const refusal = async (spec: object) => {
    const path = pathOf('widgets');
    const { code, body } = await api.call('PATCH', path, { spec }, 'application/merge-patch+json');
    return [
      code,
      ...(body.details?.causes ?? []).map(
        (one: { field: string; message: string }) => `${one.field}: ${one.message}`,
      ),
    ];
  };
  expect(await refusal({ scope: 'Cluster' })).toEqual([
    422,
    'spec.scope: Invalid value: "Cluster": field is immutable',
  ]);
  expect(await refusal({ names: { kind: 'Gadget' } })).toEqual([
    422,
    'spec.names.kind: Invalid value: "Gadget": field is immutable',
  ]);
  expect(await refusal({ group: 'example.org' })).toEqual([
    422,
    'spec.group: Invalid value: "example.org": field is immutable',
  ]);
  expect(await refusal({ names: { plural: 'gadgets' } })).toEqual([
    422,
    'spec.names.plural: Invalid value: "gadgets": field is immutable',
  ]);
});

test('a CRD in a protected group needs its annotation from the start', async () => {
  await using api = await Api.start();
  const crd = crdOf('Widget', { group: 'things.k8s.io' });
  const refusal = await api.call('POST', crds, crd);
  expect([refusal.code, refusal.body.message]).toEqual([
    422,
    'CustomResourceDefinition.apiextensions.k8s.io "widgets.things.k8s.io" is invalid: ' +
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval ' +
      'annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
  ]);
});

describe('a change while it is in use', () => {
  let api: Api;
  let server: Awaited<ReturnType<typeof startServer>>;
  const path = pathOf('widgets');
  const schema = (properties: JsonObject): JsonObject => ({
    openAPIV3Schema: { type: 'object', properties },
  });
  const version = (name: string, more: JsonObject = {}): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: schema({ size: { type: 'integer' } }),
    ...more,
  });
  const crd = (...versions: JsonObject[]) => ({
    ...crdOf('Widget'),
    spec: { ...crdOf('Widget').spec, versions },
  });
  const change = (...versions: JsonObject[]) => api.merge(path, { spec: { versions } });

  beforeAll(async () => {
    server = await startServer({ crds: [crd(version('v1'))], listen: false });
    api = Api.of(server);
    await api.create(collection('widgets'), { ...objectOf('Widget', 'one'), size: 1 });
  });
  afterAll(() => server.close());

  test('of the schema ends watches cleanly, and the next request follows the new one', async () => {
    const watch = new WatchStream(await server.fetch(`${collection('widgets')}?watch=1`));
    expect(await watch.take(1)).toHaveLength(1);
    await change(
      version('v1', { schema: schema({ size: { type: 'integer', maximum: 5 }, color: { type: 'string' } }) }),
    );
    expect(await watch.rest()).toEqual([]);
    const large = await api.call('POST', collection('widgets'), {
      ...objectOf('Widget', 'two'),
      size: 6,
      color: 'red',
    });
    expect(large.body.message).toContain('size in body should be less than or equal to 5');
    const fits = { ...objectOf('Widget', 'two'), size: 5, color: 'red' };
    expect((await api.create(collection('widgets'), fits)).color).toBe('red');
    await change(version('v1'));
    expect((await api.get(`${collection('widgets')}/two`)).body).not.toHaveProperty('color');
  });

  test('of the columns shows in the next table', async () => {
    const additionalPrinterColumns = [{ name: 'Size', type: 'integer', jsonPath: '.size' }];
    await change(version('v1', { additionalPrinterColumns }));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const response = await server.fetch(`${collection('widgets')}/one`, { headers: { accept } });
    const { columnDefinitions, rows } = JSON.parse(await response.text());
    expect(columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Size']);
    expect(rows[0].cells).toEqual(['one', 1]);
  });

  test('of the names shows in discovery', async () => {
    await api.merge(path, { spec: { names: { shortNames: ['wd'], categories: ['tools'] } } });
    await api.settles(path, (body) => body.status.acceptedNames.shortNames?.[0] === 'wd');
    const { body } = await api.get('/apis/example.com/v1');
    expect(body.resources[0]).toMatchObject({ shortNames: ['wd'], categories: ['tools'] });
  });

  test('of the versions: a new one serves what is there, one that is not served any more is not found', async () => {
    await change(version('v1'), version('v2'));
    expect((await api.get('/apis/example.com/v2/namespaces/default/widgets/one')).body).toMatchObject({
      apiVersion: 'example.com/v2',
      size: 1,
    });
    expect((await api.get('/apis/example.com')).body.preferredVersion.version).toBe('v2');
    await change(version('v1'), version('v2', { served: false }));
    expect((await api.get('/apis/example.com/v2/namespaces/default/widgets/one')).code).toBe(404);
    expect((await api.get('/apis/example.com')).body.preferredVersion.version).toBe('v1');
  });

  test('of the stored version: the old one stays in storedVersions, and cannot be left out before it is taken from there', async () => {
    await change(version('v1', { storage: false }), version('v2', { storage: true }));
    expect((await api.get(path)).body.status.storedVersions).toEqual(['v1', 'v2']);
    const without = { spec: { versions: [version('v2', { storage: true })] } };
    const refused = await api.call('PATCH', path, without, 'application/merge-patch+json');
    expect(refused.body.message).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version,',
    );
    await api.merge(`${collection('widgets')}/one`.replace('/v1/', '/v2/'), { size: 2 });
    await api.merge(`${path}/status`, { status: { storedVersions: ['v2'] } });
    await api.merge(path, without);
    expect((await api.get('/apis/example.com/v2/namespaces/default/widgets/one')).body.size).toBe(2);
    expect((await api.get(`${collection('widgets')}/one`)).code).toBe(404);
  });
});

test('requests that were under way when the CRD went are answered, and leave nothing behind', async () => {
  let begun = 0;
  const filter: RequestFilter = async ({ verb, path }, next) => {
    if (path?.resource === 'widgets' && (verb === 'create' || verb === 'update')) begun += 1;
    return next();
  };
  await using server = await startServer({ crds: [crdOf('Widget')], filters: [filter] });
  const api = Api.of(server);
  await api.create(collection('widgets'), objectOf('Widget', 'old'));
  const token = /token: "?([^"\s]+)/.exec(server.kubeconfig)?.[1] ?? '';
  /** The head arrives and the resource is found; the test sends the body later. */
  const slow = (method: string, path: string, object: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(`${server.url}${path}`, { method, headers });
    const text = JSON.stringify(object);
    sent.write(text.slice(0, 5));
    const answer = new Promise<number>((resolve, reject) => {
      sent.once('response', (response) => resolve(response.resume().statusCode ?? 0));
      sent.once('error', reject);
    });
    return { finish: () => sent.end(text.slice(5)), answer };
  };
  const create = slow('POST', collection('widgets'), objectOf('Widget', 'new'));
  const update = slow('PUT', `${collection('widgets')}/old`, objectOf('Widget', 'old'));
  await until(async () => begun === 3, 'the requests do not arrive');
  // With the object that is there. By then, what follows the filter has found the resource and reads.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await api.delete(pathOf('widgets'));
  await api.gone(pathOf('widgets'));
  await api.create(crds, crdOf('Widget'));
  await api.settles(pathOf('widgets'), isAccepted);
  create.finish();
  update.finish();
  expect([await create.answer, await update.answer]).toEqual([403, 404]);
  expect((await api.get(collection('widgets'))).body.items).toEqual([]);
});
