import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue, KubeObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf } from './fixtures/crd.ts';

const text: JsonObject = { type: 'string' };
const port: JsonObject = {
  type: 'object',
  required: ['port'],
  properties: { port: { type: 'integer' }, protocol: { ...text, default: 'TCP' }, name: text },
};
const listOf = (type: string, items: JsonObject, keys?: string[]): JsonObject => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': type,
  ...(keys === undefined ? {} : { 'x-kubernetes-list-map-keys': keys }),
});
const mapOf = (type: string): JsonObject => ({
  type: 'object',
  additionalProperties: text,
  'x-kubernetes-map-type': type,
});

/** Everything that fields can be owned in. */
const spec: JsonObject = {
  type: 'object',
  properties: {
    color: text,
    size: { type: 'integer' },
    nested: { type: 'object', properties: { inner: { type: 'object', properties: { a: text, b: text } } } },
    maybe: { type: 'object', nullable: true, properties: { a: text, b: text } },
    atomic: listOf('atomic', text),
    set: listOf('set', text),
    ports: listOf('map', port, ['port', 'protocol']),
    granular: mapOf('granular'),
    whole: mapOf('atomic'),
    embedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
};

function version(name: string): JsonObject {
  return {
    name,
    served: true,
    storage: name === 'v1',
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec,
          status: { type: 'object', properties: { phase: text, seen: { type: 'integer' } } },
        },
      },
    },
  };
}

const crd = crdOf('Toy', { scope: 'Cluster', versions: [version('v1'), version('v2')] });

const start = Date.UTC(2026, 0, 1);
let nowMs = start;
let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ crds: [crd], listen: false, clock: { now: () => nowMs } });
});
afterAll(() => server.close());

const toys = '/apis/example.com/v1/toys';
const json = 'application/json';
const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const yaml = 'application/apply-patch+yaml';

interface Sent {
  readonly body: unknown;
  readonly type?: string;
  readonly userAgent?: string;
}

async function send(method: string, path: string, { body, type = json, userAgent }: Sent) {
  const headers = { 'content-type': type, ...(userAgent === undefined ? {} : { 'user-agent': userAgent }) };
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await server.fetch(path, { method, headers, body: sent });
  return { code: answer.status, body: JSON.parse(await answer.text()) };
}

const toy = (name: string, rest: JsonObject = {}, apiVersion = 'example.com/v1'): KubeObject => ({
  apiVersion,
  kind: 'Toy',
  metadata: { name },
  ...rest,
});

/** Applies a spec; gives the whole answer. */
function apply(name: string, manager: string, applied: JsonObject, more = '') {
  const path = `${toys}/${name}?fieldManager=${manager}${more}`;
  return send('PATCH', path, { body: toy(name, { spec: applied }), type: yaml });
}

async function get(name: string): Promise<KubeObject> {
  return JSON.parse(await (await server.fetch(`${toys}/${name}`)).text());
}

/** The entries without what is the same in all. */
async function entries(name: string) {
  const { metadata } = await get(name);
  const { managedFields = [] } = Object(metadata);
  return managedFields.map(({ fieldsType, ...entry }: JsonObject) => {
    expect(fieldsType).toBe('FieldsV1');
    return entry;
  });
}

/** Who owns what in the spec. */
async function owners(name: string): Promise<Record<string, JsonObject>> {
  const found: [string, JsonObject][] = (await entries(name)).map((entry: JsonObject) => [
    String(entry['manager']),
    Object(entry['fieldsV1'])['f:spec'],
  ]);
  return Object.fromEntries(found);
}

const at = (seconds: number) => new Date(start + seconds * 1000).toISOString().replace('.000', '');
function setClock(seconds: number): void {
  nowMs = start + seconds * 1000;
}

describe('every writer has its entry', () => {
  test('create, update, patches and apply: by manager, operation, version and subresource', async () => {
    setClock(1);
    await send('POST', `${toys}?fieldManager=maker`, { body: toy('story', { spec: { color: 'red' } }) });
    setClock(2);
    const object = await get('story');
    const put = { ...object, spec: { color: 'red', size: 1 } };
    await send('PUT', `${toys}/story?fieldManager=putter`, { body: put });
    setClock(3);
    const add = [{ op: 'add', path: '/spec/atomic', value: ['a'] }];
    await send('PATCH', `${toys}/story?fieldManager=jsoner`, { body: add, type: jsonPatch });
    setClock(4);
    const inV2 = '/apis/example.com/v2/toys/story';
    await send('PATCH', `${inV2}?fieldManager=merger`, { body: { spec: { set: ['x'] } }, type: merge });
    setClock(5);
    await send('PATCH', `${toys}/story/status?fieldManager=merger`, {
      body: { status: { phase: 'on' } },
      type: merge,
    });
    setClock(6);
    await apply('story', 'applier', { granular: { k: 'v' } });
    const update = (manager: string, seconds: number, fieldsV1: JsonObject) => ({
      manager,
      operation: 'Update',
      apiVersion: 'example.com/v1',
      time: at(seconds),
      fieldsV1,
    });
    expect(await entries('story')).toEqual([
      { ...update('applier', 6, { 'f:spec': { 'f:granular': { 'f:k': {} } } }), operation: 'Apply' },
      update('maker', 1, { 'f:spec': { '.': {}, 'f:color': {} } }),
      update('putter', 2, { 'f:spec': { 'f:size': {} } }),
      update('jsoner', 3, { 'f:spec': { 'f:atomic': {} } }),
      {
        ...update('merger', 4, { 'f:spec': { 'f:set': { '.': {}, 'v:"x"': {} } } }),
        apiVersion: 'example.com/v2',
      },
      { ...update('merger', 5, { 'f:status': { '.': {}, 'f:phase': {} } }), subresource: 'status' },
    ]);
  });

  test('the manager is the start of the User-Agent where none is named', async () => {
    const made = async (name: string, userAgent: string) => {
      await send('POST', toys, { body: toy(name, { spec: { color: 'red' } }), userAgent });
      return (await entries(name))[0].manager;
    };
    expect(await made('agent-1', 'my-controller/v1.2 (linux/amd64) kubernetes/abc')).toBe('my-controller');
    expect(await made('agent-2', 'plain')).toBe('plain');
    expect(await made('agent-3', '/nothing before')).toBe('unknown');
    expect(await made('agent-4', `${'x'.repeat(200)}/v1`)).toBe('x'.repeat(128));
  });

  test('a time moves with a change, and with nothing else', async () => {
    setClock(10);
    await apply('timed', 'applier', { color: 'red', size: 1 });
    const patch = (body: JsonObject) =>
      send('PATCH', `${toys}/timed?fieldManager=patcher`, { body, type: merge });
    await patch({ spec: { nested: { inner: { a: '1' } } } });
    const first = await get('timed');
    setClock(20);
    await apply('timed', 'applier', { color: 'red', size: 1 });
    await patch({ spec: { nested: { inner: { a: '1' } } } });
    await send('PUT', `${toys}/timed?fieldManager=putter`, { body: first });
    expect(await get('timed')).toEqual(first);
    await patch({ spec: { nested: { inner: { a: '2' } } } });
    const times = async () =>
      (await entries('timed')).map(({ manager, time }: JsonObject) => [manager, time]);
    expect(await times()).toEqual([
      ['applier', at(10)],
      ['patcher', at(20)],
    ]);
    setClock(30);
    await apply('timed', 'applier', { color: 'red', size: 2 });
    expect(await times()).toEqual([
      ['applier', at(30)],
      ['patcher', at(20)],
    ]);
  });

  test('of more than ten updaters the oldest are joined', async () => {
    await apply('crowded', 'applier', { color: 'red' });
    for (let writer = 1; writer <= 12; writer += 1) {
      setClock(100 + writer);
      const body = { spec: { granular: { [`k${writer}`]: 'v' } } };
      await send('PATCH', `${toys}/crowded?fieldManager=w${writer}`, { body, type: merge });
    }
    const managers = (await entries('crowded')).map(({ manager }: JsonObject) => manager);
    expect(managers).toEqual([
      'applier',
      'ancient-changes',
      ...Array.from({ length: 9 }, (_, index) => `w${index + 4}`),
    ]);
    expect((await entries('crowded'))[1]).toEqual({
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion: 'example.com/v1',
      time: at(103),
      fieldsV1: { 'f:spec': { 'f:granular': { '.': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } } },
    });
  });

  test('built-in kinds and CRDs have them, too', async () => {
    const manage = async (path: string, name: string, body: unknown) => {
      await send('PATCH', `${path}/${name}?fieldManager=me`, { body, type: yaml });
      const answer = await server.fetch(`${path}/${name}`);
      return JSON.parse(await answer.text()).metadata.managedFields[0];
    };
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm' }, data: { a: '1' } };
    expect(await manage('/api/v1/namespaces/default/configmaps', 'cm', configMap)).toMatchObject({
      manager: 'me',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
    });
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const other = JSON.parse(JSON.stringify(crd).replaceAll('toy', 'ball').replaceAll('Toy', 'Ball'));
    expect(await manage(crds, 'balls.example.com', other)).toMatchObject({
      manager: 'me',
      operation: 'Apply',
      apiVersion: 'apiextensions.k8s.io/v1',
      fieldsV1: {
        'f:spec': {
          'f:group': {},
          'f:names': { 'f:kind': {}, 'f:plural': {}, 'f:singular': {} },
          'f:scope': {},
          'f:versions': {},
        },
      },
    });
  });
});

describe('managed fields in a body', () => {
  type Give = (object: KubeObject) => unknown;
  const giveUp = (list: JsonValue[]): [method: string, type: string, give: Give][] => [
    [
      'PUT',
      json,
      (object) => ({ ...object, metadata: { ...Object(object['metadata']), managedFields: list } }),
    ],
    ['PATCH', merge, () => ({ metadata: { managedFields: list } })],
    ['PATCH', jsonPatch, () => [{ op: 'replace', path: '/metadata/managedFields', value: list }]],
  ];
  const configMaps = '/api/v1/namespaces/default/configmaps';

  async function givenUp(path: string, owned: KubeObject, list: JsonValue[]) {
    const ways = giveUp(list);
    if (path.startsWith(configMaps))
      ways.push(['PATCH', strategic, () => ({ metadata: { managedFields: list } })]);
    const found: unknown[] = [];
    for (const [method, type, give] of ways) {
      const { body } = await send('PATCH', `${path}?fieldManager=me&force=true`, { body: owned, type: yaml });
      expect(body.metadata.managedFields).not.toEqual([]);
      const answer = await send(method, path, { body: give(body), type });
      expect(answer.code).toBe(200);
      found.push(answer.body.metadata.managedFields);
    }
    return found;
  }

  test('a list with an empty entry gives all up; an empty one does so in built-in kinds', async () => {
    const owned = toy('given-up', { spec: { color: 'red' } });
    const none = undefined;
    expect(await givenUp(`${toys}/given-up`, owned, [{}])).toEqual([none, none, none]);
    const kept = expect.arrayContaining([expect.objectContaining({ manager: 'me' })]);
    expect(await givenUp(`${toys}/given-up`, owned, [])).toEqual([kept, kept, kept]);
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'given-up' }, data: { a: '1' } };
    for (const list of [[{}], []]) {
      expect(await givenUp(`${configMaps}/given-up`, map, list)).toEqual([none, none, none, none]);
    }
  });

  test('after that updates are not tracked, until an apply adds what was there before it', async () => {
    await apply('anew', 'me', { color: 'red' });
    await send('PATCH', `${toys}/anew`, { body: { metadata: { managedFields: [{}] } }, type: merge });
    await send('PATCH', `${toys}/anew?fieldManager=later`, { body: { spec: { size: 1 } }, type: merge });
    expect(await entries('anew')).toEqual([]);
    await apply('anew', 'me', { color: 'red' });
    expect(await owners('anew')).toEqual({
      me: { 'f:color': {} },
      'before-first-apply': { '.': {}, 'f:color': {}, 'f:size': {} },
    });
  });

  test('entries may be rewritten: kubectl does so when it turns to server-side apply', async () => {
    await send('POST', `${toys}?fieldManager=kubectl-client-side-apply`, {
      body: toy('migrated', { spec: { color: 'red' } }),
    });
    const { metadata } = await get('migrated');
    const [{ time, ...entry }] = Object(metadata).managedFields;
    const operations = (resourceVersion: string) => [
      {
        op: 'replace',
        path: '/metadata/managedFields',
        value: [{ ...entry, manager: 'kubectl', operation: 'Apply' }],
      },
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    ];
    const migrate = (resourceVersion: string) =>
      send('PATCH', `${toys}/migrated`, { body: operations(resourceVersion), type: jsonPatch });
    expect((await migrate('1')).code).toBe(409);
    expect((await migrate(Object(metadata).resourceVersion)).code).toBe(200);
    expect(await entries('migrated')).toMatchObject([{ manager: 'kubectl', operation: 'Apply' }]);
  });

  test('that cannot be decoded leave the present ones', async () => {
    await apply('unread', 'me', { color: 'red' });
    const before = await entries('unread');
    const managedFields = [{ manager: 'x', operation: 'Wrong', apiVersion: 'example.com/v1' }];
    const body = { metadata: { managedFields } };
    expect((await send('PATCH', `${toys}/unread`, { body, type: merge })).code).toBe(200);
    expect(await entries('unread')).toEqual(before);
  });

  test('may not be in an apply, not even as an empty list', async () => {
    const body = { ...toy('forbidden'), metadata: { name: 'forbidden', managedFields: [] } };
    const answer = await send('PATCH', `${toys}/forbidden?fieldManager=me`, { body, type: yaml });
    expect([answer.code, answer.body.message]).toEqual([400, 'metadata.managedFields must be nil']);
  });

  test('what an endpoint does not write it does not own', async () => {
    const whole = toy('reset', { spec: { color: 'red' }, status: { phase: 'on' } });
    await send('PATCH', `${toys}/reset?fieldManager=spec`, { body: whole, type: yaml });
    const labelled = { ...whole, metadata: { name: 'reset', labels: { a: 'b' } } };
    await send('PATCH', `${toys}/reset/status?fieldManager=status`, { body: labelled, type: yaml });
    const body = { ...(await get('reset')), spec: { color: 'blue' }, status: { phase: 'off' } };
    await send('PUT', `${toys}/reset/status?fieldManager=putter`, { body });
    const found = (await entries('reset')).map(({ manager, fieldsV1 }: JsonObject) => [manager, fieldsV1]);
    expect(Object.fromEntries(found)).toEqual({
      spec: { 'f:spec': { 'f:color': {} } },
      putter: { 'f:status': { 'f:phase': {} } },
    });
  });
});

describe('an apply', () => {
  test.each([
    ['YAML', 'apiVersion: example.com/v1\nkind: Toy\nmetadata: {name: from-yaml}\nspec:\n  color: red\n'],
    ['JSON', JSON.stringify(toy('from-json', { spec: { color: 'red' } }))],
  ])('of %s creates what is not there, then changes it', async (format, body) => {
    const path = `${toys}/from-${format.toLowerCase()}?fieldManager=me`;
    const created = await send('PATCH', path, { body, type: yaml });
    expect([created.code, created.body.metadata.generation]).toEqual([201, 1]);
    const changed = await send('PATCH', path, { body: body.replace('red', 'blue'), type: yaml });
    expect([changed.code, changed.body.spec, changed.body.metadata.generation]).toEqual([
      200,
      { color: 'blue' },
      2,
    ]);
  });

  test('names its manager; only an apply can be forced', async () => {
    const body = toy('unnamed', { spec: {} });
    const nameless = await send('PATCH', `${toys}/unnamed`, { body, type: yaml, userAgent: 'kubectl/v1' });
    expect([nameless.code, nameless.body.message]).toEqual([
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ]);
    const forced = await send('PATCH', `${toys}/unnamed?force=true`, { body: {}, type: merge });
    expect([forced.code, forced.body.message]).toEqual([
      422,
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ]);
  });

  test('of what others own conflicts, with a cause for each field; by force it takes them', async () => {
    await apply('fought', 'alice', { color: 'red', granular: { a: '1' } });
    const body = { spec: { size: 1 } };
    await send('PATCH', `${toys}/fought?fieldManager=bob`, { body, type: merge });
    await send('PATCH', `${toys}/fought/status?fieldManager=carl`, {
      body: { status: { phase: 'on' } },
      type: merge,
    });
    const wanted = { color: 'blue', size: 2, granular: { a: '2', b: '2' } };
    const refused = await apply('fought', 'dora', wanted);
    expect(refused).toEqual({
      code: 409,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'Apply failed with 3 conflicts: conflicts with "alice":\n- .spec.color\n- .spec.granular.a\n' +
          'conflicts with "bob" using example.com/v1:\n- .spec.size',
        reason: 'Conflict',
        details: {
          causes: [
            { reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.spec.color' },
            { reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.spec.granular.a' },
            {
              reason: 'FieldManagerConflict',
              message: 'conflict with "bob" using example.com/v1',
              field: '.spec.size',
            },
          ],
        },
        code: 409,
      },
    });
    expect((await apply('fought', 'dora', wanted, '&force=true')).body.spec).toEqual(wanted);
    expect(await owners('fought')).toEqual({
      carl: undefined,
      dora: { 'f:color': {}, 'f:size': {}, 'f:granular': { 'f:a': {}, 'f:b': {} } },
    });
    const status = toy('fought', { status: { phase: 'off' } });
    const path = `${toys}/fought/status?fieldManager=dora`;
    expect((await send('PATCH', path, { body: status, type: yaml })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "carl" with subresource "status" using example.com/v1: .status.phase',
    );
  });

  test('shares what has the same value; it goes when the last one gives it up', async () => {
    await apply('shared', 'alice', { color: 'red', size: 1 });
    expect((await apply('shared', 'bob', { color: 'red' })).code).toBe(200);
    expect((await apply('shared', 'alice', { size: 1 })).body.spec).toEqual({ color: 'red', size: 1 });
    expect((await apply('shared', 'bob', {})).body.spec).toEqual({ size: 1 });
    expect(await owners('shared')).toEqual({ alice: { 'f:size': {} }, bob: {} });
  });

  test('in another version goes on where it was, and conflicts across versions', async () => {
    await apply('versions', 'me', { color: 'red', size: 1 });
    const inV2 = (manager: string, applied: JsonObject) =>
      send('PATCH', `/apis/example.com/v2/toys/versions?fieldManager=${manager}`, {
        body: toy('versions', { spec: applied }, 'example.com/v2'),
        type: yaml,
      });
    expect((await inV2('you', { color: 'blue' })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "me": .spec.color',
    );
    expect((await inV2('me', { color: 'blue' })).body.spec).toEqual({ color: 'blue' });
    expect(await entries('versions')).toMatchObject([{ manager: 'me', apiVersion: 'example.com/v2' }]);
    const { body } = await apply('versions', 'me', { size: 3 });
    expect([body.spec, await owners('versions')]).toEqual([{ size: 3 }, { me: { 'f:size': {} } }]);
    const wrong = await send('PATCH', `${toys}/versions?fieldManager=me`, {
      body: toy('versions', {}, 'example.com/v2'),
      type: yaml,
    });
    expect([wrong.code, wrong.body.message]).toEqual([400, 'invalid object type: example.com/v2, Kind=Toy']);
  });
});

describe('managers in a version that the CRD has no longer', () => {
  const old = { ...version('v1'), storage: false };
  const relics = (versions: JsonObject[]) => crdOf('Relic', { scope: 'Cluster', versions });
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const relic = '/apis/example.com/v2/relics/cup';
  const applyAs = (manager: string, apiVersion: string, color: string) =>
    send('PATCH', `/apis/${apiVersion}/relics/cup?fieldManager=${manager}`, {
      body: { apiVersion, kind: 'Relic', metadata: { name: 'cup' }, spec: { color } },
      type: yaml,
    });
  const managers = (answer: { body: KubeObject }) => Object(answer.body['metadata']).managedFields;

  test('let no apply through, as upstream, until somebody rewrites them', async () => {
    const current = { ...version('v2'), storage: true };
    expect((await send('POST', crds, { body: relics([old, current]) })).code).toBe(201);
    await expect.poll(async () => (await applyAs('me', 'example.com/v1', 'red')).code).toBe(201);
    const gone = await send('PATCH', `${crds}/relics.example.com`, {
      body: { spec: { versions: [current] } },
      type: merge,
    });
    expect(gone.code).toBe(200);
    await expect.poll(async () => (await server.fetch('/apis/example.com/v1/relics')).status).toBe(404);

    const refused = await applyAs('you', 'example.com/v2', 'red');
    expect([refused.code, refused.body.message]).toEqual([
      500,
      'request to convert CR to an invalid group/version: example.com/v1',
    ]);
    const updated = await send('PATCH', relic, { body: { spec: { color: 'blue', size: 1 } }, type: merge });
    expect(updated.body.spec).toEqual({ color: 'blue', size: 1 });
    expect(managers(updated)).toMatchObject([{ manager: 'me', apiVersion: 'example.com/v1' }]);

    const rewritten = managers(updated).map((entry: JsonObject) => ({
      ...entry,
      apiVersion: 'example.com/v2',
    }));
    await send('PATCH', relic, { body: { metadata: { managedFields: rewritten } }, type: merge });
    const applied = await applyAs('you', 'example.com/v2', 'blue');
    expect([applied.code, managers(applied).map(({ manager }: JsonObject) => manager)]).toEqual([
      200,
      ['you', 'me'],
    ]);
  });
});

describe('what is one field, and what is many', () => {
  /** Two appliers of the same object: the spec, or the conflict of the second, and who owns what. */
  async function both(first: JsonObject, second: JsonObject) {
    const name = `both-${(bothCount += 1)}`;
    await apply(name, 'a', first);
    const { body } = await apply(name, 'b', second);
    return { spec: body.spec ?? body.message, owners: await owners(name) };
  }
  let bothCount = 0;

  test('an atomic list', async () => {
    const { spec } = await both({ atomic: ['x'] }, { atomic: ['x', 'y'] });
    expect(spec).toBe('Apply failed with 1 conflict: conflict with "a": .spec.atomic');
  });

  test('a set', async () => {
    expect(await both({ set: ['x', 'y'] }, { set: ['y', 'z'] })).toEqual({
      spec: { set: ['x', 'y', 'z'] },
      owners: { a: { 'f:set': { 'v:"x"': {}, 'v:"y"': {} } }, b: { 'f:set': { 'v:"y"': {}, 'v:"z"': {} } } },
    });
  });

  test('a list by keys, of which one has a default', async () => {
    const found = await both(
      { ports: [{ port: 80, name: 'http' }] },
      {
        ports: [
          { port: 80, protocol: 'UDP' },
          { port: 80, protocol: 'TCP' },
        ],
      },
    );
    const item = (protocol: string, rest: JsonObject) => ({
      [`k:{"port":80,"protocol":"${protocol}"}`]: { '.': {}, 'f:port': {}, ...rest },
    });
    expect(found).toEqual({
      spec: {
        ports: [
          { port: 80, protocol: 'UDP' },
          { port: 80, protocol: 'TCP', name: 'http' },
        ],
      },
      owners: {
        a: { 'f:ports': item('TCP', { 'f:name': {} }) },
        b: { 'f:ports': { ...item('TCP', { 'f:protocol': {} }), ...item('UDP', { 'f:protocol': {} }) } },
      },
    });
    const twice = await apply('twice', 'a', { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] });
    expect([twice.code, twice.body.message]).toEqual([
      500,
      'failed to create typed patch object (/twice; example.com/v1, Kind=Toy): .spec.ports: duplicate entries for ' +
        'key [port=80,protocol="TCP"]',
    ]);
  });

  test('maps, granular and atomic', async () => {
    expect(await both({ granular: { a: '1' } }, { granular: { b: '2' } })).toEqual({
      spec: { granular: { a: '1', b: '2' } },
      owners: { a: { 'f:granular': { 'f:a': {} } }, b: { 'f:granular': { 'f:b': {} } } },
    });
    const { spec } = await both({ whole: { a: '1' } }, { whole: { b: '2' } });
    expect(spec).toBe('Apply failed with 1 conflict: conflict with "a": .spec.whole');
  });

  test('nested structures', async () => {
    expect(await both({ nested: { inner: { a: '1' } } }, { nested: { inner: { b: '2' } } })).toEqual({
      spec: { nested: { inner: { a: '1', b: '2' } } },
      owners: {
        a: { 'f:nested': { 'f:inner': { 'f:a': {} } } },
        b: { 'f:nested': { 'f:inner': { 'f:b': {} } } },
      },
    });
  });

  test('an embedded object, with the metadata of objects', async () => {
    const embedded = (labels: JsonObject, data: JsonObject) => ({
      embedded: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', labels }, data },
    });
    const { spec, owners: found } = await both(
      embedded({ a: '1' }, { k: '1' }),
      embedded({ b: '2' }, { l: '2' }),
    );
    expect(spec).toEqual(embedded({ a: '1', b: '2' }, { k: '1', l: '2' }));
    expect(found['b']).toEqual({
      'f:embedded': {
        'f:apiVersion': {},
        'f:kind': {},
        'f:data': { '.': {}, 'f:l': {} },
        'f:metadata': { 'f:name': {}, 'f:labels': { 'f:b': {} } },
      },
    });
  });
});

describe('emptied by who owned all that was in it', () => {
  // What structured-merge-diff makes of all these is null, of `{}` as well; whether that may be is for the schema.
  const isNoObject = (path: string) =>
    `Toy.example.com "emptied" is invalid: ${path}: Invalid value: "null": ${path} in body must be of type object: "null"`;

  test.each<[string, JsonObject, JsonObject, unknown]>([
    ['left out', { color: 'x', nested: { inner: { a: '1' } } }, { color: 'x' }, { color: 'x' }],
    [
      'left out, but for its container',
      { nested: { inner: { a: '1' } } },
      { nested: {} },
      isNoObject('spec.nested'),
    ],
    ['null, where it may be', { maybe: { a: '1' } }, { maybe: null }, { maybe: null }],
    ['{}, where it may be null', { maybe: { a: '1' } }, { maybe: {} }, { maybe: null }],
    ['null', { nested: { inner: { a: '1' } } }, { nested: { inner: null } }, isNoObject('spec.nested.inner')],
    ['{}', { nested: { inner: { a: '1' } } }, { nested: { inner: {} } }, isNoObject('spec.nested.inner')],
    ['an empty map', { granular: { a: '1' } }, { granular: {} }, isNoObject('spec.granular')],
    ['an empty set goes', { color: 'x', set: ['a'] }, { color: 'x', set: [] }, { color: 'x' }],
    ['an atomic list stays', { atomic: ['a'] }, { atomic: [] }, { atomic: [] }],
  ])('%s', async (_, first, second, expected) => {
    await server.fetch(`${toys}/emptied`, { method: 'DELETE' });
    expect((await apply('emptied', 'me', first)).code).toBe(201);
    const { body } = await apply('emptied', 'me', second);
    expect(body.spec ?? body.message ?? {}).toEqual(expected);
  });

  test('something of others keeps it', async () => {
    await apply('kept', 'me', { nested: { inner: { a: '1' } } });
    await apply('kept', 'you', { nested: { inner: { b: '2' } } });
    expect((await apply('kept', 'me', { nested: { inner: {} } })).body.spec).toEqual({
      nested: { inner: { b: '2' } },
    });
  });
});
