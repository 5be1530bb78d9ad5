import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { JSON_SCHEMA, load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeProtobuf, encodeProtobuf } from '../src/codec/index.ts';
import type { JsonObject, KubeObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { WatchStream } from './fixtures/watch-stream.ts';
import { widget, widgetCrd, widgetsPath } from './fixtures/widgets.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const one = `${widgetsPath()}/one`;
const map = `${configMaps}/one`;
const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const as = (kind: string, type = json, version = 'v1') => `${type};as=${kind};v=${version};g=meta.k8s.io`;

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ crds: [widgetCrd] });
  const labels = { l: '1' };
  await send(
    'POST',
    widgetsPath(),
    {},
    JSON.stringify(widget('one', { color: 'blue', size: 3 }, { labels })),
  );
  const data = { a: '1' };
  await send('POST', configMaps, {}, JSON.stringify({ metadata: { name: 'one', labels }, data }));
});
afterAll(() => server.close());

interface Reply {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Over a socket, with no headers but these. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<Reply> {
  const token = /token: (\S+)/.exec(server.kubeconfig)?.[1] ?? '';
  const type = body === '' || 'content-type' in headers ? {} : { 'content-type': json };
  const outgoing = request(`${server.url}${path}`, {
    method,
    // A connection of its own: one that was idle for long may be closed by the server just when it is used again.
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...type, ...headers },
  });
  outgoing.end(body);
  const [answer]: IncomingMessage[] = await once(outgoing, 'response');
  const pieces: Buffer[] = [];
  for await (const piece of answer ?? []) pieces.push(piece);
  return { code: answer?.statusCode ?? 0, headers: answer?.headers ?? {}, body: Buffer.concat(pieces) };
}

/** The answer with an Accept header: its type and its text. */
async function got(path: string, accept?: string): Promise<{ type: string; text: string }> {
  const { code, headers, body } = await send('GET', path, accept === undefined ? {} : { accept });
  expect(code).toBe(200);
  return { type: String(headers['content-type']), text: body.toString() };
}

async function refused(method: string, path: string, headers: Record<string, string>, body = '') {
  const answer = await send(method, path, headers, body);
  return { code: answer.code, message: statusOf(answer)['message'] };
}

/** A Status in whatever form it came. */
function statusOf({ headers, body }: Reply): JsonObject {
  if (headers['content-type'] === protobuf) return Object(decodeProtobuf(body));
  return headers['content-type'] === yaml ? Object(load(body.toString())) : JSON.parse(body.toString());
}

const object = async (path: string): Promise<KubeObject> => JSON.parse((await got(path)).text);

describe('the same object in every form', () => {
  test.each([one, map, widgetsPath(), configMaps])(
    'JSON: compact, with a newline at its end (%s)',
    async (path) => {
      const { type, text } = await got(path);
      expect([type, text]).toEqual([json, `${JSON.stringify(JSON.parse(text))}\n`]);
    },
  );

  test.each([one, map, widgetsPath(), configMaps])(
    'JSON for people: indented, without (%s)',
    async (path) => {
      const wanted = JSON.stringify(await object(path), undefined, 2);
      const indented = async (query: string, headers: Record<string, string> = {}) => {
        const { headers: answered, body } = await send('GET', `${path}${query}`, headers);
        expect(answered['content-type']).toBe(json);
        return body.toString() === wanted;
      };
      for (const yes of ['1', 't', 'T', 'true', 'TRUE', 'True'])
        expect(await indented(`?pretty=${yes}`)).toBe(true);
      for (const no of ['0', 'false', 'yes', 'x']) expect(await indented(`?pretty=${no}`)).toBe(false);
      for (const person of ['curl/8.0', 'Wget/1.21', 'Mozilla/5.0 (X11)']) {
        expect(await indented('', { 'user-agent': person })).toBe(true);
        expect(await indented('?pretty=', { 'user-agent': person })).toBe(true);
        expect(await indented('?pretty=false', { 'user-agent': person })).toBe(false);
      }
      expect(await indented('', { 'user-agent': 'kubectl/v1.37 curl' })).toBe(false);
      expect(await indented('', { accept: `${json};pretty=1` })).toBe(true);
      expect(await indented('', { accept: `${json};pretty=0` })).toBe(false);
    },
  );

  test.each([one, map, widgetsPath(), configMaps])('YAML (%s)', async (path) => {
    const { type, text } = await got(path, yaml);
    expect(type).toBe(yaml);
    expect(load(text, { schema: JSON_SCHEMA })).toEqual(await object(path));
    expect((await send('GET', `${path}?pretty=true`, { accept: yaml })).body.toString()).toBe(text);
  });

  test('a request in YAML, or in JSON with parameters, says the same', async () => {
    const body = 'apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: two\nspec:\n  color: red\n';
    const posted = await send('POST', widgetsPath(), { 'content-type': yaml, accept: yaml }, body);
    expect([posted.code, posted.headers['content-type']]).toEqual([201, yaml]);
    expect(await object(`${widgetsPath()}/two`)).toMatchObject({ spec: { color: 'red' } });
    const put = (type: string) =>
      send(
        'PUT',
        `${widgetsPath()}/two`,
        { 'content-type': type },
        posted.body.toString().replace('red', 'blue'),
      );
    expect((await put(`${yaml}; charset=utf-8`)).code).toBe(200);
    const typed = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await send('POST', `${widgetsPath()}?dryRun=All`, typed, JSON.stringify(widget('x')))).code).toBe(
      201,
    );
    await send('DELETE', `${widgetsPath()}/two`);
  });

  test.each([map, configMaps])('protobuf of a built-in kind (%s)', async (path) => {
    const { code, headers, body } = await send('GET', path, { accept: protobuf });
    expect([code, headers['content-type'], body.subarray(0, 4)]).toEqual([
      200,
      protobuf,
      Buffer.from('k8s\0'),
    ]);
    const wanted = await object(path);
    // Items of a list have no kind on the wire: it is that of the list.
    const items = (list: unknown) => (list as KubeObject[]).map(({ apiVersion, kind, ...rest }) => rest);
    const shown = 'items' in wanted ? { ...wanted, items: items(wanted['items']) } : wanted;
    expect(decodeProtobuf(body)).toEqual(shown);
  });

  test('a request in protobuf', async () => {
    const sent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'wired' }, data: { a: '2' } };
    const bytes = encodeProtobuf(sent, { group: '', version: 'v1', kind: 'ConfigMap' });
    const body = Buffer.concat([bytes].flat()).toString('latin1');
    const answer = await server.fetch(configMaps, {
      method: 'POST',
      headers: { 'content-type': protobuf, accept: protobuf },
      body: Buffer.from(body, 'latin1'),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, protobuf]);
    expect(decodeProtobuf(new Uint8Array(await answer.arrayBuffer()))).toMatchObject(sent);
    await send('DELETE', `${configMaps}/wired`);
  });
});

describe('metadata alone', () => {
  test.each([one, map])('of one object (%s)', async (path) => {
    const { metadata } = await object(path);
    for (const version of ['v1', 'v1beta1']) {
      const partial = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata };
      const { type, text } = await got(path, as('PartialObjectMetadata', json, version));
      expect([type, JSON.parse(text)]).toEqual([json, partial]);
      const { body } = await send('GET', path, { accept: as('PartialObjectMetadata', protobuf, version) });
      expect(decodeProtobuf(body)).toEqual(partial);
    }
    expect((await got(path, as('PartialObjectMetadata', yaml))).text).toMatch(
      /^apiVersion: meta\.k8s\.io\/v1\nkind: Par/,
    );
  });

  test.each([widgetsPath(), configMaps])('of a list (%s)', async (path) => {
    const list = await object(path);
    const items = list['items'] as KubeObject[];
    const partial = {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      items: items.map(({ metadata }) => ({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata,
      })),
    };
    expect(JSON.parse((await got(path, as('PartialObjectMetadataList'))).text)).toEqual(partial);
    const { body } = await send('GET', path, { accept: as('PartialObjectMetadataList', protobuf) });
    const inside = partial.items.map(({ metadata }) => ({ metadata }));
    expect(decodeProtobuf(body)).toEqual({ ...partial, items: inside });
    const old = await send('GET', path, { accept: as('PartialObjectMetadataList', protobuf, 'v1beta1') });
    const apiVersion = 'meta.k8s.io/v1beta1';
    expect(decodeProtobuf(old.body)).toEqual({ ...partial, apiVersion, items: inside });
  });

  test('an object is no list, nor a list an object', async () => {
    const list = { accept: as('PartialObjectMetadataList') };
    const single = { accept: as('PartialObjectMetadata') };
    const you = (kind: string, what: string) => ({
      code: 406,
      message: `you requested ${kind}, but the requested object is ${what}`,
    });
    const noList = (type: string) => you('PartialObjectMetadataList', `not a list (${type})`);
    const aList = (type: string) => you('PartialObjectMetadata', `a list (${type})`);
    expect(await refused('GET', one, list)).toEqual(noList('*unstructured.Unstructured'));
    expect(await refused('GET', map, list)).toEqual(noList('*core.ConfigMap'));
    expect(await refused('GET', widgetsPath(), single)).toEqual(aList('*unstructured.UnstructuredList'));
    expect(await refused('GET', configMaps, single)).toEqual(aList('*core.ConfigMapList'));
  });

  test('of a watch', async () => {
    const headers = { accept: as('PartialObjectMetadata') };
    const stream = new WatchStream(await server.fetch(`${widgetsPath()}?watch=1`, { headers }));
    const { metadata } = await object(one);
    expect(await stream.next()).toEqual({
      type: 'ADDED',
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
    });
    await stream.close();
  });
});

describe('a table', () => {
  const columns = (names: string[]) => names.map((name) => expect.objectContaining({ name }));

  test.each(['v1', 'v1beta1'])('%s of a list and of one object', async (version) => {
    const accept = as('Table', json, version);
    const apiVersion = `meta.k8s.io/${version}`;
    const { metadata } = await object(one);
    const row = {
      cells: ['one', 'blue', 3],
      object: { kind: 'PartialObjectMetadata', apiVersion, metadata },
    };
    const columnDefinitions = columns(['Name', 'Color', 'Size']);
    expect(JSON.parse((await got(widgetsPath(), accept)).text)).toEqual({
      kind: 'Table',
      apiVersion,
      metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      columnDefinitions,
      rows: [row],
    });
    const { resourceVersion } = Object(metadata);
    expect(JSON.parse((await got(one, accept)).text)).toMatchObject({
      kind: 'Table',
      metadata: { resourceVersion },
      rows: [row],
    });
    expect((await got(one, as('Table', yaml, version))).text).toContain(`apiVersion: ${apiVersion}\n`);
    expect(JSON.parse((await got(configMaps, accept)).text)).toMatchObject({
      columnDefinitions: columns(['Name', 'Data', 'Age']),
    });
  });

  test.each([
    '',
    '?includeObject=',
    '?includeObject=Metadata',
    '?includeObject=None',
    '?includeObject=Object',
  ])('with what is asked for in its rows: "%s"', async (query) => {
    const whole = await object(one);
    const partial = {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: whole['metadata'],
    };
    const included = query.endsWith('None') ? null : query.endsWith('Object') ? whole : partial;
    for (const path of [one, widgetsPath()]) {
      const table = JSON.parse((await got(`${path}${query}`, as('Table'))).text);
      expect(table.rows.map((row: JsonObject) => row['object'])).toEqual([included]);
    }
    const headers = { accept: as('Table') };
    const watched = `${widgetsPath()}?watch=1&${query.slice(1)}`;
    const stream = new WatchStream(await server.fetch(watched, { headers }));
    expect((await stream.next())?.object).toMatchObject({ kind: 'Table', rows: [{ object: included }] });
    await stream.close();
  });

  test('with something else: 400, before a watch begins', async () => {
    const message =
      'Unable to convert to Table as requested: includeObject: Invalid value: "x": ' +
      "must be 'Metadata', 'Object', 'None', or empty";
    for (const path of [one, widgetsPath(), `${widgetsPath()}?watch=1`]) {
      const at = `${path}${path.includes('?') ? '&' : '?'}includeObject=x`;
      expect(await refused('GET', at, { accept: as('Table') })).toEqual({ code: 400, message });
    }
  });

  test('is what a write answers, too', async () => {
    const headers = { accept: as('Table') };
    const posted = await send('POST', `${widgetsPath()}?dryRun=All`, headers, JSON.stringify(widget('new')));
    expect([posted.code, JSON.parse(posted.body.toString())]).toMatchObject([
      201,
      { rows: [{ cells: ['new', 'blue', null] }] },
    ]);
    const deleted = await send('DELETE', `${widgetsPath()}?dryRun=All`, headers);
    expect(JSON.parse(deleted.body.toString())).toMatchObject({
      kind: 'Table',
      rows: [{ cells: ['one', 'blue', 3] }],
    });
  });
});

describe('which of the things that a client accepts', () => {
  const table = as('Table');
  const tableV9 = as('Table', json, 'v9');

  test.each<[accept: string, type: string, kind: string]>([
    // What kubectl sends, and what a metadata informer does.
    [`${table},${as('Table', json, 'v1beta1')},${json}`, json, 'Table'],
    [
      `${as('PartialObjectMetadata', protobuf)},${as('PartialObjectMetadata')},${json}`,
      protobuf,
      'PartialObjectMetadata',
    ],
    // What a typed client of Go sends for any kind.
    [`${protobuf},${json}`, json, 'Widget'],
    ['*/*', json, 'Widget'],
    ['*', json, 'Widget'],
    ['application/*', json, 'Widget'],
    [`text/html, ${yaml}`, yaml, 'Widget'],
    [`text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8`, json, 'Widget'],
    // The first of equals, the higher of others.
    [`${yaml}, ${json}`, yaml, 'Widget'],
    [`${json};q=0.5, ${yaml}`, yaml, 'Widget'],
    [`${json};q=0.5, ${yaml};q=0.4`, json, 'Widget'],
    [`${json};q=nonsense, ${yaml};q=0.1`, yaml, 'Widget'],
    [`${json};q=0`, json, 'Widget'],
    // What is named goes before what is not, whatever is said of it.
    [`*/*, ${yaml}`, yaml, 'Widget'],
    [`*/*;q=1, ${yaml};q=0.1`, yaml, 'Widget'],
    [`application/*, ${yaml}`, yaml, 'Widget'],
    // What cannot be had is passed over.
    [`${tableV9}, ${yaml}`, yaml, 'Widget'],
    [`${as('Nothing')}, ${json}`, json, 'Widget'],
    [`${as('Table', protobuf)}, ${json}`, json, 'Widget'],
    [`${json};v=v1;g=meta.k8s.io, ${yaml}`, yaml, 'Widget'],
    [`${json};stream=other, ${yaml}`, yaml, 'Widget'],
    [`${yaml};stream=watch, ${json}`, json, 'Widget'],
    [`${json};sv=v2, ${yaml};sv=v1`, yaml, 'Widget'],
    [`garbage, a/b/c, , ${yaml}`, yaml, 'Widget'],
    // What means nothing is no reason to refuse.
    [`${json};charset=utf-8;export=1;profile=x;foo=bar`, json, 'Widget'],
    [`*/*;as=Table;v=v1;g=meta.k8s.io`, json, 'Table'],
  ])('%s: %s, a %s', async (accept, type, kind) => {
    const { headers, body } = await send('GET', one, { accept });
    expect(headers['content-type']).toBe(type);
    expect(body.toString('latin1')).toContain(kind);
    if (type === json) expect(JSON.parse(body.toString()).kind).toBe(kind);
  });

  const accepted = 'only the following media types are accepted: ';
  const types = `${json}, ${yaml}, ${protobuf}`;

  test.each([
    protobuf,
    'text/html',
    'Application/JSON',
    'garbage',
    ',',
    tableV9,
    as('Table', protobuf),
    `${json};as=Table`,
    'application/cbor',
  ])('%s: none of them, 406', async (accept) => {
    expect(await refused('GET', one, { accept })).toEqual({ code: 406, message: `${accepted}${types}` });
  });

  test.each([yaml, protobuf, 'text/html'])('%s: no watch, 406', async (accept) => {
    const names = `${json};stream=watch, ${protobuf};stream=watch`;
    for (const path of [widgetsPath(), configMaps]) {
      const message = `${accepted}${names}`;
      expect(await refused('GET', `${path}?watch=1`, { accept })).toEqual({ code: 406, message });
    }
  });

  test('a refusal takes the form that is accepted, or is JSON for people', async () => {
    const missing = `${widgetsPath()}/missing`;
    const answer = async (accept: string) => {
      const { code, headers, body } = await send('GET', missing, { accept });
      expect(code).toBe(404);
      return { type: headers['content-type'], text: body.toString() };
    };
    const status = JSON.parse((await answer(json)).text);
    expect(status).toMatchObject({ kind: 'Status', reason: 'NotFound', details: { name: 'missing' } });
    expect(await answer(json)).toEqual({ type: json, text: `${JSON.stringify(status)}\n` });
    expect((await answer(yaml)).text).toContain('\nreason: NotFound\n');
    expect((await answer(`${table},${json}`)).text).toBe(`${JSON.stringify(status)}\n`);
    expect(await answer(table)).toEqual({ type: json, text: JSON.stringify(status, undefined, 2) });
    const { body } = await send('GET', `${configMaps}/missing`, { accept: protobuf });
    expect(decodeProtobuf(body)).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404 });
  });

  test('what is sent in another form: 415', async () => {
    const unknown = 'the body of the request was in an unknown format - accepted media types include: ';
    const post = (path: string, type: string) => refused('POST', path, { 'content-type': type }, '{}');
    for (const type of ['text/plain', 'application/cbor', 'garbage']) {
      expect(await post(widgetsPath(), type)).toEqual({ code: 415, message: `${unknown}${types}` });
    }
    expect(await post(widgetsPath(), protobuf)).toEqual({ code: 415, message: `${unknown}${json}, ${yaml}` });
    expect(await post(configMaps, 'text/plain')).toEqual({ code: 415, message: `${unknown}${types}` });
  });
});

describe('large answers', () => {
  const fill = 1000;
  const limit = 128 * 1024;

  /** A ConfigMap whose JSON is so long; its resourceVersion may have become a digit longer meanwhile. */
  async function sized(bytes: number): Promise<void> {
    const write = (data: string) => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big' }, data: { a: data } };
      const headers = { 'content-type': 'application/apply-patch+yaml' };
      return send('PATCH', `${configMaps}/big?fieldManager=me`, headers, JSON.stringify(body));
    };
    let length = fill;
    for (let found = 0; found !== bytes; length += bytes - found) {
      found = (await write('x'.repeat(length))).body.length;
    }
  }
  const read = (accept: string | undefined, query = '') =>
    send('GET', `${configMaps}/big${query}`, accept === undefined ? {} : { 'accept-encoding': accept });

  test('of more than 128 KiB are compressed, for those who take it', async () => {
    await sized(limit + 1);
    const plain = await read(undefined);
    expect([plain.body.length, plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
      limit + 1,
      undefined,
      undefined,
    ]);
    for (const accept of ['gzip', 'deflate,gzip ,br']) {
      const { headers, body } = await read(accept);
      // Sent while it is compressed, so its length is not known before; as upstream has it.
      expect([headers['content-encoding'], headers['vary'], headers['content-length']]).toEqual([
        'gzip',
        'Accept-Encoding',
        undefined,
      ]);
      expect(body.length).toBeLessThan(limit / 10);
      expect(gunzipSync(body)).toEqual(plain.body);
    }
  });

  test('of more than 128 KiB are plain for those who name another encoding, or gzip in another way', async () => {
    for (const accept of ['br', 'gzip;q=1', '*']) {
      expect((await read(accept)).headers['content-encoding']).toBeUndefined();
    }
  });

  test('of more than 128 KiB are compressed as lists and as YAML, too', async () => {
    const list = await send('GET', configMaps, { 'accept-encoding': 'gzip' });
    expect(JSON.parse(gunzipSync(list.body).toString())).toEqual(await object(configMaps));
    // The YAML of an object may be somewhat shorter than its JSON.
    await sized(limit + 1000);
    const inYaml = await send('GET', `${configMaps}/big`, { 'accept-encoding': 'gzip', accept: yaml });
    expect(gunzipSync(inYaml.body).toString()).toContain('name: big\n');
  });

  test('of 128 KiB are not', async () => {
    await sized(limit);
    const { headers, body } = await read('gzip');
    expect([headers['content-encoding'], body.length]).toEqual([undefined, limit]);
  });
});

describe('other methods', () => {
  test('HEAD has the head of a GET', async () => {
    for (const path of [one, widgetsPath()]) {
      const get = await send('GET', path);
      const head = await send('HEAD', path);
      expect([head.code, head.body.length]).toEqual([200, 0]);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    }
    expect((await send('HEAD', `${widgetsPath()}/missing`)).code).toBe(404);
    expect((await send('HEAD', one, { accept: 'text/html' })).code).toBe(406);
  });

  test('OPTIONS and others are not supported', async () => {
    for (const method of ['OPTIONS', 'TRACE', 'SEARCH']) {
      for (const path of [one, widgetsPath()]) {
        // The verb of a method that upstream does not know is empty.
        const message = ` is not supported on resources of kind "widgets.example.com"`;
        expect(await refused(method, path, {})).toEqual({ code: 405, message });
      }
    }
  });
});

test('every answer says that it is not to be kept, and has an id', async () => {
  const { headers } = await send('GET', one);
  expect(headers).toMatchObject({
    'cache-control': 'no-cache, private',
    'audit-id': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  });
  expect((await send('GET', one, { 'audit-id': 'mine' })).headers['audit-id']).toBe('mine');
});
