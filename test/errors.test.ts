import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/server.ts';
import { widgetCrdOf } from './fixtures/widgets.ts';

const text = { type: 'string' };

function version(name: string, more: object) {
  const item = { type: 'object', properties: { x: { type: 'integer' } } };
  const spec = {
    type: 'object',
    properties: { color: text, size: { type: 'integer' }, list: { type: 'array', items: item } },
  };
  return {
    name,
    served: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    ...more,
  };
}

const crd = widgetCrdOf([
  version('v1', {
    storage: true,
    subresources: { status: {} },
    selectableFields: [{ jsonPath: '.spec.color' }],
  }),
  version('v2', { storage: false }),
]);

const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const one = `${widgets}/one`;
const head = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"new"}';

const troubles: unknown[] = [];
let server: IlkServer;
beforeAll(async () => {
  server = await startServer({
    crds: [JSON.parse(JSON.stringify(crd))],
    listen: false,
    onTrouble: (error) => troubles.push(error),
  });
  const body =
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"},"spec":{"color":"blue"}}';
  expect((await send('POST', widgets, { body })).code).toBe(201);
});
afterAll(async () => {
  await server.close();
  expect(troubles).toEqual([]);
});

interface Sent {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly accept?: string;
}

/** Sends a request; gives the code, the reason and the message of a Status, or the plain text. */
async function send(method: string, path: string, { body, type = 'application/json', accept }: Sent = {}) {
  const headers = {
    ...(body === undefined ? {} : { 'content-type': type }),
    ...(accept === undefined ? {} : { accept }),
  };
  const response = await server.fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
  const answer = await response.text();
  if (!answer.startsWith('{')) return { code: response.status, reason: undefined, message: answer };
  const status = JSON.parse(answer);
  return { code: response.status, reason: status.reason, message: status.message };
}

const unrecognized = 'the object provided is unrecognized (must be of type Widget): ';
const parseError = `${unrecognized}couldn't get version/kind; json parse error: `;
const start = '({"apiVersion":"example.com/v1" ...)';
const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
const goStruct =
  'json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; ' +
  'Kind string "json:\\"kind,omitempty\\"" } (5b5d)';

describe('a body that is no object of the kind is refused with 400', () => {
  const cases: [name: string, body: string | Uint8Array<ArrayBuffer>, message: string][] = [
    ['nothing', '', `${parseError}unexpected end of JSON input (<empty>)`],
    ['half an object', '{"a"', `${parseError}unexpected end of JSON input ({"a")`],
    ['no JSON', 'x', `${parseError}invalid character 'x' looking for beginning of value (78)`],
    ['something behind', `${head}} x`, `${parseError}invalid character 'x' after top-level value ${start}`],
    [
      'a byte order mark',
      '\ufeff{}',
      `${parseError}invalid character 'ï' looking for beginning of value (efbbbf7b7d)`,
    ],
    [
      'UTF-16',
      Uint8Array.of(0xff, 0xfe, 0),
      `${parseError}invalid character 'ÿ' looking for beginning of value (fffe00)`,
    ],
    [
      'a bad escape',
      `${head},"spec":"\\u00zz"}`,
      `${parseError}invalid character 'z' in \\u hexadecimal character escape ${start}`,
    ],
    [
      'a bare newline in a text',
      `${head},"spec":"a\nb"}`,
      `${parseError}invalid character '\\n' in string literal ${start}`,
    ],
    [
      'a number with a leading zero',
      `${head},"spec":01}`,
      `${parseError}invalid character '1' after object key:value pair ${start}`,
    ],
    [
      'a number without decimals',
      `${head},"spec":1.}`,
      `${parseError}invalid character '}' after decimal point in numeric literal ${start}`,
    ],
    [
      'a number beyond all bounds',
      `${head},"spec":1e400}`,
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number 1e400 into Go value of type float64',
    ],
    [
      'half a literal',
      `${head},"spec":tru}`,
      `${parseError}invalid character '}' in literal true (expecting 'e') ${start}`,
    ],
    [
      'lists without end',
      '['.repeat(20_000),
      `${parseError}invalid character '[' exceeded max depth (${'5b'.repeat(30)} ...)`,
    ],
    [
      'objects without end',
      `${head},"spec":${nested('{"a":', '}', 20_000)}}`,
      `${parseError}invalid character '{' exceeded max depth ${start}`,
    ],
    ['null', 'null', `${unrecognized}Object 'Kind' is missing in 'null' (6e756c6c)`],
    ['a list', '[]', `${parseError}${goStruct}`],
    ['no kind', '{}', `${unrecognized}Object 'Kind' is missing in '{}' ({})`],
    [
      'a kind that is a number',
      '{"kind":1}',
      `${parseError}json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})`,
    ],
    [
      'no version',
      '{"kind":"Widget"}',
      'the API version in the data () does not match the expected API version (example.com/v1)',
    ],
    [
      'another version',
      '{"kind":"Widget","apiVersion":"example.com/v2"}',
      'the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
    ],
    [
      'no such version',
      '{"kind":"Widget","apiVersion":"a/b/c"}',
      `${unrecognized}unexpected GroupVersion string: a/b/c ({"kind":"Widget","apiVersion": ...)`,
    ],
    [
      'a name that is a number',
      `${head.replace('"new"', '1')}}`,
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    ],
    [
      'metadata that is a text',
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":"x"}',
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    ],
    [
      'another namespace',
      `${head.replace('}', ',"namespace":"other"}')}}`,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ];
  test.each(cases)('%s', async (_, body, message) => {
    expect(await send('POST', widgets, { body })).toEqual({ code: 400, reason: 'BadRequest', message });
  });

  test('a body above the limit, with 413', async () => {
    const body = ' '.repeat(3 * 1024 * 1024 + 1);
    expect(await send('POST', widgets, { body })).toEqual({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: limit is 3145728',
    });
  });

  test('a kind that is another one, with 422', async () => {
    const body = `${head.replace('Widget', 'Other')}}`;
    expect(await send('POST', widgets, { body })).toEqual({
      code: 422,
      reason: 'Invalid',
      message: 'Other.example.com "new" is invalid: kind: Invalid value: "Other": must be Widget',
    });
  });

  test('duplicate and unknown fields of a strict client', async () => {
    const body = `${head},"spec":{"color":"a","color":"b","foo":1},"bar":1}`;
    expect((await send('POST', `${widgets}?fieldValidation=Strict`, { body })).message).toBe(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: ' +
        'duplicate field "spec.color", unknown field "bar", unknown field "spec.foo"',
    );
  });

  test('bytes that are no UTF-8 are replaced, as Go does', async () => {
    const [before = '', after = ''] = `${head},"spec":{"color":"|"}}`.split('|');
    const body = Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]);
    const answer = await server.fetch(`${widgets}?dryRun=All`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(JSON.parse(await answer.text()).spec.color).toBe('\ufffd');
  });
});

describe('what the server cannot read or write', () => {
  const body = `${head}}`;
  const unknown = 'the body of the request was in an unknown format - accepted media types include: ';
  const accepted =
    'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';

  test.each(['text/plain', 'application/cbor', 'application/vnd.kubernetes.protobuf', 'garbage'])(
    'a body of %s: 415',
    async (type) => {
      const protobuf = 'application/vnd.kubernetes.protobuf';
      const message = `${unknown}application/json, application/yaml${type === protobuf ? '' : `, ${protobuf}`}`;
      expect(await send('POST', widgets, { body, type })).toEqual({
        code: 415,
        reason: 'UnsupportedMediaType',
        message,
      });
    },
  );

  test.each(['application/json', 'application/strategic-merge-patch+json', ''])(
    'a patch of type "%s": 415',
    async (type) => {
      const types = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
      expect(await send('PATCH', one, { body: '{}', type })).toEqual({
        code: 415,
        reason: 'UnsupportedMediaType',
        message: `${unknown}${types}`,
      });
    },
  );

  test.each(['text/html', 'application/cbor', 'application/json;as=Table;v=v9;g=meta.k8s.io'])(
    'an answer as %s: 406',
    async (accept) => {
      expect(await send('GET', one, { accept })).toEqual({
        code: 406,
        reason: 'NotAcceptable',
        message: accepted,
      });
    },
  );
});

describe('parameters', () => {
  const token = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const continued = (rv: number, key: string) => token({ v: 'meta.k8s.io/v1', rv, start: key });
  const badKey = 'invalid continue token: continue key is not valid: ';
  const notInteger = 'strconv.ParseInt: parsing "x": invalid syntax';
  const notRevision = 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax';
  const cases: [query: string, code: number, message: string][] = [
    [
      'labelSelector=a b',
      400,
      "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    ],
    ['labelSelector=!a%3Db', 400, "found '=', expected: ',' or 'end of string'"],
    ['labelSelector=a in (b', 400, "unable to parse requirement: found '', expected: ',' or ')'"],
    [`labelSelector=${'a,'.repeat(50_000)}`, 400, "found '', expected: identifier after ','"],
    ['fieldSelector=a', 400, "invalid selector: 'a'; can't understand 'a'"],
    ['fieldSelector=spec.size%3D1', 400, 'field label not supported: spec.size'],
    ['fieldSelector=spec.color%3D%5Cx', 400, 'invalid field selector: invalid escape sequence: \\x'],
    ['limit=x', 400, notInteger],
    ['timeoutSeconds=x', 400, notInteger],
    ['continue=e30', 400, `${badKey}server does not recognize this encoded version `],
    [`continue=${continued(1, '')}`, 400, `${badKey}encoded start key empty (version meta.k8s.io/v1)`],
    [`continue=${continued(1, '../a')}`, 400, `${badKey}../a`],
    [
      `continue=${continued(1, 'a')}&resourceVersion=5`,
      400,
      'specifying resource version is not allowed when using continue',
    ],
    ['resourceVersion=x', 400, `invalid resource version: ${notRevision}`],
    ['watch=1&resourceVersion=x', 500, notRevision],
    [
      'resourceVersionMatch=Exact',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'sendInitialEvents=true',
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  ];
  test.each(cases)('a list with %s: %i', async (query, code, message) => {
    expect(await send('GET', `${widgets}?${query}`)).toMatchObject({ code, message });
  });

  test('a continue token from a future that this server does not reach: 504, as for a resourceVersion', async () => {
    const { code, message } = await send('GET', `${widgets}?continue=${continued(10_000_000, 'a')}`);
    expect(code).toBe(504);
    expect(message).toMatch(/^Timeout: Too large resource version: 10000000, current: \d+$/);
  });

  const writes: [query: string, message: string][] = [
    ['dryRun=x', 'dryRun: Unsupported value: ["x"]: supported values: "All"'],
    ['fieldManager=%0A', 'fieldManager: Invalid value: "\\n": invalid character U+000A (at position 0)'],
    [`fieldManager=${'a'.repeat(129)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
    [
      'fieldValidation=x',
      'fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"',
    ],
  ];
  test.each(writes)('a create with %s: 422', async (query, problem) => {
    const message = `CreateOptions.meta.k8s.io "" is invalid: ${problem}`;
    const answer = await send('POST', `${widgets}?${query}`, { body: `${head}}` });
    expect(answer).toEqual({ code: 422, reason: 'Invalid', message });
  });
});

describe('paths and verbs', () => {
  const missing: [method: string, path: string][] = [
    ['GET', '/nope'],
    ['GET', '/apis/nope/v1'],
    ['GET', '/apis/example.com/v3/widgets'],
    ['GET', '/apis/example.com/v1/nope'],
    ['GET', `${widgets}/%zz`],
    ['GET', `${widgets}/%ff`],
    ['GET', '/apis/__proto__/v1/constructor'],
    ['POST', '/apis/example.com/v1/widgets'],
    ['DELETE', '/apis/example.com/v1/widgets'],
    ['GET', '/apis/example.com/v1/widgets/one'],
  ];
  test.each(missing)('%s %s: a page that is not there', async (method, path) => {
    const answer = await send(method, path, method === 'POST' ? { body: '{}' } : {});
    expect(answer).toEqual({ code: 404, reason: undefined, message: '404 page not found\n' });
  });

  test("a resource that is not in a built-in group: the words of upstream's router", async () => {
    const answer = await send('GET', '/api/v1/namespaces/default/toString');
    const message = 'the server could not find the requested resource';
    expect(answer).toEqual({ code: 404, reason: 'NotFound', message });
  });

  test.each([`${one}/nope`, '/apis/example.com/v2/namespaces/default/widgets/one/status'])(
    'GET %s: a subresource that is not there',
    async (path) => {
      const message = 'widgets.example.com "one" not found';
      expect(await send('GET', path)).toEqual({ code: 404, reason: 'NotFound', message });
    },
  );

  test.each(['GET', 'DELETE', 'PATCH'])('%s of a name that no object can have: 400', async (method) => {
    const body = method === 'PATCH' ? { body: '{}', type: 'application/merge-patch+json' } : {};
    expect(await send(method, `${widgets}/a%25b`, body)).toEqual({
      code: 400,
      reason: 'BadRequest',
      message: `Name parameter invalid: "a%b": may not contain '%'`,
    });
  });

  test('an encoded slash separates: the path is decoded first', async () => {
    expect(await send('GET', '/apis/example.com/v1/namespaces/default%2Fwidgets/one')).toMatchObject({
      code: 200,
    });
    expect(await send('GET', `${widgets}/one%2Fnope`)).toMatchObject({ code: 404 });
  });

  const unsupported: [method: string, path: string, verb: string][] = [
    ['POST', `${one}/status`, 'create'],
    ['DELETE', `${one}/status`, 'delete'],
  ];
  test.each(['PUT', 'PATCH'])('%s of a collection: 400', async (method) => {
    const type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json';
    expect(await send(method, widgets, { body: '{}', type })).toEqual({
      code: 400,
      reason: 'BadRequest',
      message: 'name must be provided',
    });
  });

  test('what follows a subresource does not count, except below built-in kinds', async () => {
    expect(await send('GET', `${one}/status/more`)).toMatchObject({ code: 200 });
    expect(await send('GET', `${one}/nope/more`)).toMatchObject({ code: 404, reason: 'NotFound' });
    expect(await send('GET', '/api/v1/namespaces/default/status/more')).toMatchObject({ code: 404 });
  });

  test.each(unsupported)('%s %s: 405', async (method, path, verb) => {
    const answer = await send(method, path, { body: '{}', type: 'application/merge-patch+json' });
    const message = `${verb} is not supported on resources of kind "widgets.example.com"`;
    expect(answer).toEqual({ code: 405, reason: 'MethodNotAllowed', message });
  });
});

describe('patches', () => {
  test.each(['merge-patch+json', 'json-patch+json'])('%s: invalid JSON is reported first', async (type) => {
    const options = { body: '{"a":1}x', type: `application/${type}` };
    const message = 'invalid JSON patch';
    expect(await send('PATCH', `${widgets}/nobody`, options)).toMatchObject({ code: 400, message });
    const readable = { ...options, body: '5' };
    expect(await send('PATCH', `${widgets}/nobody`, readable)).toMatchObject({ code: 404 });
  });

  const lost = 'the server rejected our request due to an error in our request';
  const cases: [type: string, body: string, code: number, message: string][] = [
    ['merge-patch+json', '{', 400, 'invalid JSON patch'],
    [
      'merge-patch+json',
      '[]',
      400,
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'merge-patch+json',
      '{"apiVersion":"x/v1"}',
      422,
      'Widget.x "one" is invalid: apiVersion: Invalid value: "x/v1": must be example.com/v1',
    ],
    [
      'merge-patch+json',
      '{"spec":[]}',
      422,
      'Widget.example.com "one" is invalid: spec: Invalid value: "array": spec in body must be of type object: "array"',
    ],
    [
      'merge-patch+json',
      '{"kind":"X"}',
      422,
      'X.example.com "one" is invalid: kind: Invalid value: "X": must be Widget',
    ],
    [
      'json-patch+json',
      '{}',
      400,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    ['json-patch+json', '[{"op":"x","path":"/a"}]', 422, lost],
    ['json-patch+json', '[{"op":"test","path":"/spec/color","value":"red"}]', 422, lost],
    ['json-patch+json', '[{"op":"add","path":"/__proto__/x","value":1}]', 422, lost],
    ['json-patch+json', '[{"op":"move","from":"","path":"/spec/x"}]', 422, lost],
    [
      'json-patch+json',
      `[${'{"op":"test","path":"/kind","value":"Widget"},'.repeat(10_001).slice(0, -1)}]`,
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ],
    ['apply-patch+yaml', '', 400, 'invalid object type: /, Kind='],
    [
      'apply-patch+yaml',
      '[]',
      400,
      'error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    ['apply-patch+yaml', 'a: &a [*a]', 400, "error encoding patch: yaml: anchor 'a' value contains itself"],
    [
      'apply-patch+yaml',
      `${head.replace('new', 'one')},"spec":{"foo":1}}`,
      500,
      'failed to create typed patch object (/one; example.com/v1, Kind=Widget): .spec.foo: field not declared in schema',
    ],
    [
      'apply-patch+yaml',
      `${head}}`,
      400,
      'the name of the object (new) does not match the name on the URL (one)',
    ],
  ];
  test.each(cases)('%s %.60s: %i', async (type, body, code, message) => {
    const path = type === 'apply-patch+yaml' ? `${one}?fieldManager=me` : one;
    expect(await send('PATCH', path, { body, type: `application/${type}` })).toMatchObject({ code, message });
  });
});

describe('deletes', () => {
  const cases: [body: string, code: number, message: string][] = [
    ['{', 400, "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    ['[]', 400, 'json: cannot unmarshal array into Go value of type v1.DeleteOptions'],
    [
      '{"gracePeriodSeconds":"x"}',
      400,
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    ['{"kind":"Nope","apiVersion":"v1"}', 400, 'decoded object cannot be converted to DeleteOptions'],
    [
      '{"orphanDependents":true,"propagationPolicy":"Orphan"}',
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
  ];
  test.each(cases)('options %s: %i', async (body, code, message) => {
    expect(await send('DELETE', one, { body })).toMatchObject({ code, message });
  });
});

describe('built-in kinds', () => {
  const namespaces = '/api/v1/namespaces';

  test('what a body leaves out of kind and version is filled in', async () => {
    const answer = await send('POST', `${namespaces}?dryRun=All`, { body: '{"metadata":{"name":"brief"}}' });
    expect(answer.code).toBe(201);
  });

  test.each([namespaces, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'])(
    'a body for %s that is no JSON: 400',
    async (path) => {
      const { code, message } = await send('POST', path, { body: '{' });
      expect(code).toBe(400);
      expect(message).toContain(
        "couldn't get version/kind; json parse error: unexpected end of JSON input ({)",
      );
    },
  );

  test.each([
    '',
    '{}',
    'k8s\0',
    'k8s\0\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff',
    `k8s\0${'\x12\x7f'.repeat(100)}`,
  ])('a body that is no protobuf: 400 (%j)', async (body) => {
    const type = 'application/vnd.kubernetes.protobuf';
    expect(await send('POST', namespaces, { body: Buffer.from(body, 'latin1'), type })).toMatchObject({
      code: 400,
      reason: 'BadRequest',
    });
  });
});

test('a number beyond the range of doubles, in a body whose apiVersion is a number, is no trouble of the server', async () => {
  const body = `{"apiVersion":1,"kind":"Pod","metadata":{"name":"a"},"data":[${'9'.repeat(400)},1e400]}`;
  const { code, message } = await send('POST', '/api/v1/namespaces/default/pods', { body });
  expect(code).toBe(400);
  expect(message).toContain('json: cannot unmarshal number into Go struct field .apiVersion of type string');
});
