import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './controllers/api.ts';
import { widgetCrdOf } from './fixtures/widgets.ts';

const rules = [{ rule: "self.color != 'black'", message: 'too dark' }];
const spec = {
  type: 'object',
  properties: { color: { type: 'string' }, size: { type: 'integer' } },
  'x-kubernetes-validations': rules,
};
const crd = widgetCrdOf([
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    subresources: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
  },
]);

const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

const widget = (metadata: object, color = 'red') => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata,
  spec: { color },
});

let api: Api;
beforeAll(async () => {
  api = await Api.start({ crds: [crd], disableControllers: ['garbage-collector'] });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  expect(api.troubles).toEqual([]);
});

/** Makes a widget; gives its metadata. */
async function made(name: string, more: object = {}) {
  const { code, body } = await api.call('POST', widgets, widget({ name, ...more }));
  expect(code).toBe(201);
  return body.metadata;
}

/** The code and the message of an answer. */
async function answer(method: string, path: string, body: unknown, type?: string) {
  const { code, body: status } = await api.call(method, path, body, type);
  return [code, status.message];
}

describe('what is wrong with metadata', () => {
  const missing = ['apiVersion', 'name', 'uid'].map(
    (field) => `metadata.ownerReferences[0].${field}: Required value: must not be empty`,
  );
  const unchecked =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  const message = (name: string) =>
    `Widget.example.com "${name}" is invalid: [${[...missing, unchecked].join(', ')}]`;
  const owned = (name: string) => widget({ name, ownerReferences: [{ kind: 'Pod' }] }, 'black');

  test('keeps rules from being run', async () => {
    expect(await answer('POST', widgets, owned('owned'))).toEqual([422, message('owned')]);
  });

  test('is said of what was applied, a list key that is left out being an empty one', async () => {
    const path = `${widgets}/applied?fieldManager=me`;
    expect(await answer('PATCH', path, owned('applied'), apply)).toEqual([422, message('applied')]);
  });

  test('is dropped where it was applied, and is no time', async () => {
    const config = widget({ name: 'times', creationTimestamp: 'yesterday' });
    expect((await api.call('PATCH', `${widgets}/times?fieldManager=me`, config, apply)).code).toBe(201);
    const again = await api.call('PATCH', `${widgets}/times?fieldManager=me`, config, apply);
    expect([again.code, again.body.metadata.creationTimestamp]).toEqual([
      200,
      expect.stringMatching(/^\d{4}-/),
    ]);
  });
});

describe('a resourceVersion in a create', () => {
  const refused = 'resourceVersion should not be set on objects to be created';

  test('is refused last, when all else is well', async () => {
    const versioned = (color?: string) => widget({ name: 'versioned', resourceVersion: '1' }, color);
    expect(await answer('POST', widgets, versioned('black'))).toEqual([
      422,
      'Widget.example.com "versioned" is invalid: spec: Invalid value: too dark',
    ]);
    expect(await answer('POST', widgets, versioned())).toEqual([500, refused]);
    expect(await answer('POST', `${widgets}?dryRun=All`, versioned())).toEqual([201, undefined]);
  });

  test.each(['0', 'abc'])('is none at all where it is %j', async (resourceVersion) => {
    const { resourceVersion: given } = await made(`none-${resourceVersion}`, { resourceVersion });
    expect(given).toMatch(/^[1-9]\d*$/);
  });
});

describe('an object that is', () => {
  const elsewhere = 'the namespace of the provided object does not match the namespace sent on the request';

  test.each([
    ['PUT', 'application/json'],
    ['PATCH', merge],
    ['PATCH', apply],
  ])('in another namespace, %s as %s', async (method, type) => {
    const name = `place-${type.replace(/\W/g, '-')}`;
    await made(name);
    const there = widget({ name, namespace: 'kube-system' });
    expect(await answer(method, `${widgets}/${name}?fieldManager=me`, there, type)).toEqual([400, elsewhere]);
  });

  test('called otherwise by a patch', async () => {
    await made('called');
    expect(await answer('PATCH', `${widgets}/called`, { metadata: { name: 'other' } }, merge)).toEqual([
      400,
      'the name of the object (other) does not match the name on the URL (called)',
    ]);
  });

  test('of another kind, in the words about it', async () => {
    const other = { ...widget({ name: 'other', labels: { a: 1 } }), kind: 'Other' };
    expect(await answer('POST', widgets, other)).toEqual([
      400,
      'Other in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ]);
  });
});

describe('deletion', () => {
  const deletionTimestamp = '2030-01-01T00:00:00Z';

  test('does not begin with an update', async () => {
    const { resourceVersion } = await made('alive');
    const dying = widget({ name: 'alive', resourceVersion, deletionTimestamp });
    expect(await answer('PUT', `${widgets}/alive`, dying)).toEqual([
      422,
      `Widget.example.com "alive" is invalid: metadata.deletionTimestamp: Invalid value: "${deletionTimestamp}": field is immutable`,
    ]);
  });

  test('is not put off by one', async () => {
    await made('dying', { finalizers: ['example.com/wait'] });
    const { body } = await api.call('DELETE', `${widgets}/dying`);
    const put = widget({ ...body.metadata, deletionTimestamp }, 'blue');
    const { code, body: after } = await api.call('PUT', `${widgets}/dying`, put);
    expect([code, after.spec.color]).toEqual([200, 'blue']);
    expect(after.metadata.deletionTimestamp).toBe(body.metadata.deletionTimestamp);
  });

  test.each([
    ['uid', 'x', /^the UID in the precondition \(x\) does not match the UID in record/],
    ['resourceVersion', '1', /^the ResourceVersion in the precondition \(1\) does not match/],
  ])('on conditions of %s is refused in the name of the kind', async (field, value, why) => {
    const name = `kept-${field.toLowerCase()}`;
    await made(name);
    const { code, body } = await api.call('DELETE', `${widgets}/${name}`, {
      preconditions: { [field]: value },
    });
    const start = `Operation cannot be fulfilled on Widget.example.com "${name}": `;
    expect([code, body.message.slice(0, start.length), body.details.kind]).toEqual([409, start, 'Widget']);
    expect(body.message.slice(start.length)).toMatch(why);
  });
});

test('a patch that makes no Scale is shown what it made', async () => {
  await api.call('POST', widgets, { ...widget({ name: 'scaled' }), spec: { color: 'red', size: 1 } });
  const [code, message] = await answer(
    'PATCH',
    `${widgets}/scaled/scale`,
    { spec: { replicas: 'x' } },
    merge,
  );
  expect([code, message]).toEqual([
    422,
    expect.stringMatching(
      /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"autoscaling\/v1\\",.*\\"spec\\":\{\\"replicas\\":\\"x\\"\}.*: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32$/,
    ),
  ]);
});
