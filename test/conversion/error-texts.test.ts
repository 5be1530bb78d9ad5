import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, type KubeObject } from '../../src/meta/index.ts';
import { type ConversionWebhook, conversionConnector, parseServiceMap } from '../../src/webhook/index.ts';
import { type Answer, converting, renamed, saying, WebhookServer } from './webhook-server.ts';

/**
 * Every text here is what kube-apiserver 1.37 says of the same misbehaviour: its converter was run against it.
 * `{url}` stands for the address with its query, `{uid}` for the uid of the request.
 */
const head = 'conversion webhook for example.com/v1, Kind=Widget';

let server: WebhookServer;
beforeAll(async () => {
  server = await WebhookServer.start(converting(renamed));
});
afterAll(() => server[Symbol.asyncDispose]());

const widget = (name = 'a'): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', uid: 'u1', labels: { a: 'b' } },
  spec: { x: 1 },
});

function connect(client: { url?: string; caPem?: string } = {}, reviewVersions = ['v1', 'v1beta1']) {
  const { url = server.url, caPem = server.caPem } = client;
  const random = (bytes: number) => Buffer.alloc(bytes, 7);
  const services = parseServiceMap([]);
  const connector = conversionConnector({ services, random, clock: { now: () => 0 }, timeoutMs: 500 });
  const widgets = { group: 'example.com', resource: 'widgets' };
  return connector({ client: { address: { url }, caPem }, reviewVersions }, widgets);
}

const uid = '07070707-0707-4707-8707-070707070707';

/** What came of converting widgets to v2: the last object, or why not. */
async function convert(webhook: ConversionWebhook, objects: readonly KubeObject[] = [widget()]) {
  try {
    const outcomes = await webhook.convert(objects, 'example.com/v2');
    for (const outcome of outcomes) if ('error' in outcome) return outcome.error.message;
    const last = outcomes.at(-1);
    return last !== undefined && 'object' in last ? last.object : undefined;
  } finally {
    webhook.close();
  }
}

function expectText(outcome: KubeObject | string | undefined, expected: string): void {
  const url = `"${server.url}?timeout=500ms"`;
  expect(outcome).toBe(expected.replace('{url}', url).replace('{uid}', uid));
}

async function answeredBy(answer: Answer, reviewVersions?: string[]) {
  server.answer = answer;
  return convert(connect({}, reviewVersions));
}

const first = (response: JsonObject): JsonObject => {
  const { convertedObjects } = response;
  const object = Array.isArray(convertedObjects) ? convertedObjects[0] : undefined;
  if (!isObject(object)) throw new Error('nothing was converted');
  return object;
};
const metadata = (response: JsonObject): JsonObject => {
  const { metadata: found } = first(response);
  if (!isObject(found)) throw new Error('no metadata');
  // The original is the request's own: what is changed must not be.
  return (first(response)['metadata'] = { ...found });
};

type Change = (review: JsonObject, response: JsonObject) => void;
const result =
  (value: JsonValue): Change =>
  (_, response) => {
    response['result'] = value;
  };
const objects =
  (value: JsonValue): Change =>
  (_, response) => {
    response['convertedObjects'] = value;
  };
const field =
  (name: string, value: JsonValue): Change =>
  (_, response) => {
    first(response)[name] = value;
  };
const meta =
  (name: string, value: JsonValue): Change =>
  (_, response) => {
    metadata(response)[name] = value;
  };
const said =
  (values: JsonObject): Change =>
  (review) => {
    Object.assign(review, values);
    for (const [name, value] of Object.entries(values)) if (value === null) delete review[name];
  };

const keyShape =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const inReview = 'of type v1.ConversionResponse';
const rawObject =
  '{"apiVersion":"example.com/v2","metadata":{"labels":{"a":"b"},"name":"a","namespace":"default","uid":"u1"},"spec":{"x":1}}';

const reviews: readonly [string, Change, string][] = [
  ['no response', said({ response: null }), `${head} failed: no response provided`],
  [
    'a response that is a text',
    said({ response: 'x' }),
    `${head} failed: json: cannot unmarshal string into Go struct field ConversionReview.response ${inReview}`,
  ],
  [
    'a response that is a list',
    said({ response: [] }),
    `${head} failed: json: cannot unmarshal array into Go struct field ConversionReview.response ${inReview}`,
  ],
  [
    'another uid',
    (_, response) => void (response['uid'] = 'nope'),
    `${head} failed: expected response.uid="{uid}", got "nope"`,
  ],
  [
    'no uid',
    (_, response) => void delete response['uid'],
    `${head} failed: expected response.uid="{uid}", got ""`,
  ],
  [
    'a refusal with a message',
    result({ status: 'Failure', message: 'cannot do it' }),
    `${head} failed: cannot do it`,
  ],
  [
    'a refusal without',
    result({ status: 'Failure' }),
    `${head} failed: response.result.status was 'Failure', not 'Success'`,
  ],
  [
    'no result',
    (_, response) => void delete response['result'],
    `${head} failed: response.result.status was '', not 'Success'`,
  ],
  [
    'an odd result',
    result({ status: 'Ok' }),
    `${head} failed: response.result.status was 'Ok', not 'Success'`,
  ],
  [
    'a result that is a text',
    result('Success'),
    `${head} failed: json: cannot unmarshal string into Go struct field ConversionResponse.response.result of type v1.Status`,
  ],
  ['no objects', objects([]), `${head} returned 0 objects, expected 1`],
  ['null objects', objects(null), `${head} returned 0 objects, expected 1`],
  ['too many objects', objects([{}, {}]), `${head} returned 2 objects, expected 1`],
  [
    'objects that are a text',
    objects('x'),
    `${head} failed: json: cannot unmarshal string into Go struct field ConversionResponse.response.convertedObjects of type []runtime.RawExtension`,
  ],
  ['a null object', objects([null]), 'unexpected end of JSON input'],
  [
    'a text as object',
    objects(['x']),
    'json: cannot unmarshal string into Go value of type map[string]interface {}',
  ],
  [
    'a number as object',
    objects([1]),
    'json: cannot unmarshal number into Go value of type map[string]interface {}',
  ],
  [
    'a list as object',
    objects([[]]),
    'json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  ['an empty object', objects([{}]), "Object 'Kind' is missing in '{}'"],
  [
    'no kind',
    (_, response) => void delete first(response)['kind'],
    `Object 'Kind' is missing in '${rawObject}'`,
  ],
  [
    'no version',
    (_, response) => void delete first(response)['apiVersion'],
    `${head} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received )`,
  ],
  [
    'the old version',
    field('apiVersion', 'example.com/v1'),
    `${head} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
  ],
  [
    'a version that is none',
    field('apiVersion', 1),
    `${head} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received )`,
  ],
  [
    'another group',
    field('apiVersion', 'example.org/v2'),
    `${head} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.org/v2)`,
  ],
  [
    'the core group',
    field('apiVersion', 'v2'),
    `${head} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received v2)`,
  ],
  [
    'another kind',
    field('kind', 'Gadget'),
    `${head} returned invalid object at index 0: invalid kind (expected Widget, received Gadget)`,
  ],
  ['another name', meta('name', 'b'), `${head} returned invalid object: must have the same name: a != b`],
  ['a name that is none', meta('name', 1), `${head} returned invalid object: must have the same name: a != `],
  [
    'another namespace',
    meta('namespace', 'b'),
    `${head} returned invalid object: must have the same namespace: default != b`,
  ],
  [
    'another uid of the object',
    meta('uid', 'b'),
    `${head} returned invalid object: must have the same UID: u1 != b`,
  ],
  [
    'no metadata',
    (_, response) => void delete first(response)['metadata'],
    `${head} returned invalid object: must have the same name: a != `,
  ],
  [
    'null metadata',
    field('metadata', null),
    `${head} returned invalid object: must have the same name: a != `,
  ],
  [
    'metadata that are a list',
    field('metadata', []),
    `${head} returned invalid object: must have the same name: a != `,
  ],
  [
    'labels that are a text',
    meta('labels', 'x'),
    `${head} returned invalid metadata: invalid metadata.labels of type string in converted object`,
  ],
  [
    'labels that are a list',
    meta('labels', ['x']),
    `${head} returned invalid metadata: invalid metadata.labels of type []interface {} in converted object`,
  ],
  [
    'a label that is a number',
    meta('labels', { a: 1 }),
    `${head} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
  ],
  [
    'a label that is null',
    meta('labels', { a: null }),
    `${head} returned invalid metadata: metadata.labels[a] must be a string, but is <nil> in converted object`,
  ],
  [
    'a label that is a float',
    meta('labels', { a: 1.5 }),
    `${head} returned invalid metadata: metadata.labels[a] must be a string, but is float64 in converted object`,
  ],
  [
    'a label that is a map',
    meta('labels', { a: {} }),
    `${head} returned invalid metadata: metadata.labels[a] must be a string, but is map[string]interface {} in converted object`,
  ],
  [
    'a label with a wrong key',
    meta('labels', { 'a b': 'x' }),
    `${head} returned invalid metadata: metadata.labels: Invalid value: "a b": ${keyShape}`,
  ],
  [
    'annotations that are a number',
    meta('annotations', 1),
    `${head} returned invalid metadata: invalid metadata.annotations of type int64 in converted object`,
  ],
  [
    'an annotation with a wrong key',
    meta('annotations', { 'a b': 'x' }),
    `${head} returned invalid metadata: metadata.annotation: Invalid value: "a b": ${keyShape}`,
  ],
  [
    'too many annotations',
    meta('annotations', { a: 'x'.repeat(300_000) }),
    `${head} returned invalid metadata: metadata.annotation: Too long: may not be more than 262144 bytes`,
  ],
  [
    'a review of another version',
    said({ apiVersion: 'apiextensions.k8s.io/v1beta1' }),
    `${head} failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion`,
  ],
  [
    'a review of no version',
    said({ apiVersion: 'apiextensions.k8s.io/v7' }),
    `${head} failed: no kind "ConversionReview" is registered for version "apiextensions.k8s.io/v7" in scheme "pkg/runtime/scheme.go:111"`,
  ],
  [
    'no review',
    said({ kind: 'Foo' }),
    `${head} failed: no kind "Foo" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`,
  ],
  [
    'a CRD',
    said({ kind: 'CustomResourceDefinition' }),
    `${head} failed: converting (v1.CustomResourceDefinition) to (v1.ConversionReview): unknown conversion`,
  ],
  [
    'a Status',
    said({ kind: 'Status', apiVersion: 'v1', status: 'Failure' }),
    `${head} failed: converting (v1.Status) to (v1.ConversionReview): unknown conversion`,
  ],
  [
    'a review that does not say so',
    said({ kind: null }),
    `${head} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=`,
  ],
  [
    'a review without version',
    said({ apiVersion: null }),
    `${head} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=ConversionReview`,
  ],
  [
    'neither',
    said({ apiVersion: null, kind: null }),
    `${head} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=`,
  ],
];

describe('a v1 review answered with', () => {
  test.each(reviews)('%s', async (_, change, text) => {
    expectText(await answeredBy(converting(renamed, change)), text);
  });

  test('what is right', async () => {
    expect(await answeredBy(converting(renamed))).toEqual({ ...widget(), apiVersion: 'example.com/v2' });
  });
});

describe('of the metadata only labels and annotations may change', () => {
  const changed = async (change: Change) => {
    const object = await answeredBy(converting(renamed, change));
    return isObject(object) ? object['metadata'] : object;
  };
  const before = { name: 'a', namespace: 'default', uid: 'u1' };

  test.each<[string, Change, JsonObject]>([
    ['labels', meta('labels', { c: 'd' }), { ...before, labels: { c: 'd' } }],
    [
      'annotations',
      meta('annotations', { c: 'd' }),
      { ...before, labels: { a: 'b' }, annotations: { c: 'd' } },
    ],
    ['no labels', meta('labels', {}), { ...before, labels: {} }],
    ['null labels', meta('labels', null), before],
    ['a generation', meta('generation', 42), { ...before, labels: { a: 'b' } }],
    ['finalizers', meta('finalizers', ['foo']), { ...before, labels: { a: 'b' } }],
    ['a resourceVersion', meta('resourceVersion', '42'), { ...before, labels: { a: 'b' } }],
    ['what metadata does not have', meta('garbage', 1), { ...before, labels: { a: 'b' } }],
  ])('%s', async (_, change, expected) => {
    expect(await changed(change)).toEqual(expected);
  });
});

describe('a v1beta1 review', () => {
  test('need not say what it is, nor whom it answers', async () => {
    const change: Change = (review, response) => {
      for (const name of ['apiVersion', 'kind']) delete review[name];
      delete response['uid'];
    };
    expect(await answeredBy(converting(renamed, change), ['v1beta1', 'v1'])).toMatchObject({
      kind: 'Widget',
    });
    expect(server.asked.at(-1)?.apiVersion).toBe('apiextensions.k8s.io/v1beta1');
  });

  test('is asked for where the webhook understands nothing newer', async () => {
    await answeredBy(converting(renamed), ['v3', 'v1beta1']);
    expect(server.asked.at(-1)?.apiVersion).toBe('apiextensions.k8s.io/v1beta1');
  });

  test('of another version is none', async () => {
    const text = await answeredBy(converting(renamed, said({ apiVersion: 'apiextensions.k8s.io/v1' })), [
      'v1beta1',
    ]);
    expectText(
      text,
      `${head} failed: converting (v1.ConversionReview) to (v1beta1.ConversionReview): unknown conversion`,
    );
  });

  test('the webhook is not called if it supports no version', async () => {
    server.takeCalls();
    expectText(await answeredBy(converting(renamed), ['v3']), 'no supported conversion review versions');
    expect(server.takeCalls()).toEqual([]);
  });
});

describe('one of several objects that is wrong is named by its place', () => {
  const second =
    (change: (object: JsonObject) => void): Change =>
    (_, { convertedObjects }) => {
      const object = Array.isArray(convertedObjects) ? convertedObjects[1] : undefined;
      if (isObject(object)) change(object);
    };
  test.each<[string, Change, string]>([
    [
      'its kind',
      second((one) => void (one['kind'] = 'Gadget')),
      'returned invalid converted object at index 1: invalid kind (expected Widget, received Gadget)',
    ],
    [
      'its name',
      second((one) => void delete one['metadata']),
      'returned invalid converted object at index 1: must have the same name: w1 != ',
    ],
    [
      'its labels',
      second(
        (one) => void (one['metadata'] = { ...(widget('w1')['metadata'] as JsonObject), labels: { a: 1 } }),
      ),
      'returned invalid metadata in object at index 1: metadata.labels[a] must be a string, but is int64 in converted object',
    ],
  ])('%s', async (_, change, text) => {
    server.answer = converting(renamed, change);
    expectText(await convert(connect(), [widget('w0'), widget('w1'), widget('w2')]), `${head} ${text}`);
  });
});

const mistyped =
  'json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; ' +
  'Kind string "json:\\"kind,omitempty\\"" }';
const parseError = "couldn't get version/kind; json parse error:";

describe('an answer that is no review', () => {
  test.each<[string, Answer, string]>([
    ['garbage', saying(200, 'application/json', 'garbage {'), `${parseError} ${mistyped}`],
    ['a page', saying(200, 'text/html', '<html><body>hello</body></html>'), `${parseError} ${mistyped}`],
    ['a list', saying(200, 'application/json', '[]'), `${parseError} ${mistyped.replace('string', 'array')}`],
    [
      'null',
      saying(200, 'application/json', 'null'),
      'expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
    ],
    [
      'half of one',
      saying(200, 'application/json', '{"kind":"ConversionReview","resp'),
      `${parseError} unexpected end of JSON input`,
    ],
    [
      'nothing',
      saying(200, 'text/plain', ''),
      '0-length response with status code: 200 and content type: text/plain',
    ],
    [
      'nothing of no type',
      saying(200, '', ''),
      '0-length response with status code: 200 and content type: application/json',
    ],
    [
      'no content',
      saying(204, 'text/plain', ''),
      '0-length response with status code: 204 and content type: text/plain',
    ],
    [
      'a Status',
      saying(
        500,
        'application/json',
        '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"the message"}',
      ),
      'the message',
    ],
    [
      'a Status that is none',
      saying(500, 'application/json', '{"status":"Failure","message":"the message"}'),
      'an error on the server ("unknown") has prevented the request from succeeding',
    ],
    [
      'a long text',
      saying(500, 'text/plain', 'y'.repeat(3000)),
      `an error on the server ("${'y'.repeat(2048)}") has prevented the request from succeeding`,
    ],
    [
      'a refusal in quotes',
      saying(500, 'text/html; charset=utf-8', '<b>q"uote</b>'),
      'an error on the server ("<b>q\\"uote</b>") has prevented the request from succeeding',
    ],
  ])('%s', async (_, answer, text) => {
    expectText(await answeredBy(answer), `${head} failed: ${text}`);
  });

  const noMore = (code: number) =>
    `the server responded with the status code ${code} but did not return more information`;
  const onServer = 'an error on the server ("some text") has prevented the request from succeeding';
  test.each<[number, string]>([
    [300, noMore(300)],
    [304, noMore(304)],
    [400, 'the server rejected our request for an unknown reason'],
    [401, 'the server has asked for the client to provide credentials'],
    [402, noMore(402)],
    [403, 'some text'],
    [404, 'the server could not find the requested resource'],
    [405, 'the server does not allow this method on the requested resource'],
    [406, 'some text'],
    [409, 'the server reported a conflict'],
    [413, noMore(413)],
    [415, 'some text'],
    [422, 'the server rejected our request due to an error in our request'],
    [429, 'the server has received too many requests and has asked us to try again later'],
    [500, onServer],
    [502, onServer],
    [503, 'the server is currently unable to handle the request'],
    [
      504,
      'the server was unable to return a response in the time allotted, but may still be processing the request',
    ],
    [599, onServer],
  ])('status %i', async (code, text) => {
    expectText(await answeredBy(saying(code, 'text/plain', 'some text\n')), `${head} failed: ${text}`);
  });
});
