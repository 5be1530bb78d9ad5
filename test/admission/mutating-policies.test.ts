import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Widgets, widget } from './widgets.test-support.ts';

let widgets: Widgets;
beforeAll(async () => {
  widgets = await Widgets.start();
});
afterAll(() => widgets[Symbol.asyncDispose]());

const root = '/apis/admissionregistration.k8s.io/v1';
afterEach(async () => {
  await widgets.call('DELETE', `${root}/mutatingadmissionpolicies`);
  await widgets.call('DELETE', `${root}/mutatingadmissionpolicybindings`);
  await widgets.call('DELETE', `${root}/mutatingwebhookconfigurations`);
  await widgets.call('DELETE', widgets.path());
  await widgets.call('DELETE', '/api/v1/namespaces/default/configmaps');
});

async function post(path: string, body: object): Promise<void> {
  const answer = await widgets.call('POST', path, body);
  if (answer.code !== 201) throw new Error(answer.body.message);
}

const rule = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  resources: ['widgets'],
};
const applied = (expression: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

/** A policy about widgets, and a binding of the same name. */
async function bind(name: string, spec: object, binding: object = {}): Promise<void> {
  const policy = { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: 'Never', ...spec };
  await post(`${root}/mutatingadmissionpolicies`, { metadata: { name }, spec: policy });
  await post(`${root}/mutatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, ...binding },
  });
}

const colored = (color: string) => applied(`Object{spec: Object.spec{color: ${color}}}`);
/** Appends a letter to the color. */
const letter = (one: string) =>
  patched(
    `[JSONPatch{op: "add", path: "/spec/color", value: (has(object.spec.color) ? object.spec.color : "") + "${one}"}]`,
  );

test('a policy without a binding does nothing', async () => {
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    reinvocationPolicy: 'Never',
    mutations: [colored('"red"')],
  };
  await post(`${root}/mutatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
  expect((await widgets.create('a')).body.spec).toEqual({});
});

test('mutations are made in order, each of what the one before made; defaults come after each', async () => {
  await bind('p', {
    mutations: [
      colored('"red"'),
      letter('!'),
      applied('Object{spec: Object.spec{shade: Object.spec.shade{}}}'),
      patched('[JSONPatch{op: "add", path: "/spec/size", value: object.spec.shade.depth}]'),
    ],
  });
  const { code, body } = await widgets.create('a');
  expect([code, body.spec]).toEqual([201, { color: 'red!', shade: { depth: 3 }, size: 3 }]);
});

test('what a mutation makes is validated', async () => {
  await bind('p', { mutations: [applied('Object{spec: Object.spec{size: 1000}}')] });
  const { code, body } = await widgets.create('a');
  expect([code, body.message]).toEqual([
    422,
    'Widget.example.com "a" is invalid: spec.size: Invalid value: 1000: spec.size in body should be less than or equal to 100',
  ]);
});

test('fields that a policy sets get no owner', async () => {
  await bind('p', { mutations: [colored('"red"')] });
  const { body } = await widgets.call(
    'PATCH',
    widgets.path('a', { query: '?fieldManager=me' }),
    widget('a', { size: 1 }),
    'application/apply-patch+yaml',
  );
  expect(body.spec).toEqual({ size: 1, color: 'red' });
  expect(body.metadata.managedFields.map((entry: { fieldsV1: object }) => entry.fieldsV1)).toEqual([
    { 'f:spec': { 'f:size': {} } },
  ]);
});

test('variables, parameters and the namespace are there', async () => {
  await post('/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'one', labels: { use: 'yes' } },
    data: { color: 'blue' },
  });
  await bind(
    'p',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [
        { name: 'color', expression: 'params.data.color' },
        {
          name: 'both',
          expression: 'variables.color + "-" + namespaceObject.metadata.name + "-" + request.operation',
        },
      ],
      mutations: [colored('variables.both')],
    },
    { paramRef: { selector: { matchLabels: { use: 'yes' } }, parameterNotFoundAction: 'Deny' } },
  );
  expect((await widgets.create('a')).body.spec).toEqual({ color: 'blue-default-CREATE' });
});

test('a policy is evaluated once for each parameter', async () => {
  for (const name of ['one', 'two'])
    await post('/api/v1/namespaces/default/configmaps', {
      metadata: { name, labels: { use: 'yes' } },
      data: { color: name },
    });
  await bind(
    'p',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      mutations: [
        letter('!'),
        patched(
          '[JSONPatch{op: "replace", path: "/spec/color", value: object.spec.color + params.data.color}]',
        ),
      ],
    },
    { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } },
  );
  expect((await widgets.create('a')).body.spec).toEqual({ color: '!one!two' });
});

test('match conditions decide, and so does what the binding matches', async () => {
  await bind('p', {
    matchConditions: [{ name: 'big', expression: 'has(object.spec.size) && object.spec.size > 5' }],
    mutations: [colored('"red"')],
  });
  await bind(
    'q',
    { mutations: [colored('"green"')] },
    { matchResources: { objectSelector: { matchLabels: { is: 'green' } } } },
  );
  expect((await widgets.create('small', { size: 1 })).body.spec).toEqual({ size: 1 });
  expect((await widgets.create('big', { size: 9 })).body.spec).toEqual({ size: 9, color: 'red' });
  const green = { ...widget('green', {}), metadata: { name: 'green', labels: { is: 'green' } } };
  expect((await widgets.call('POST', widgets.path(), green)).body.spec).toEqual({ color: 'green' });
});

test('a write in another version is changed in the version that the policy names', async () => {
  await bind('p', { mutations: [colored('object.apiVersion')] });
  const { body } = await widgets.call(
    'POST',
    widgets.path('', { version: 'v1beta1' }),
    widget('a', {}, 'v1beta1'),
  );
  expect([body.apiVersion, body.spec]).toEqual(['example.com/v1beta1', { color: 'example.com/v1' }]);
});

describe('what fails', () => {
  const wrong = { mutations: [colored('object.spec.missing'), colored('"set"')] };
  const text =
    "policy 'p' with binding 'p' denied request: expression 'Object{spec: Object.spec{color: object.spec.missing}}' resulted in error: no such key: missing";

  test('refuses the write, with all causes', async () => {
    await bind('p', wrong);
    const { code, body } = await widgets.create('a');
    expect([code, body.reason, body.message]).toEqual([403, 'Invalid', text]);
    expect(body.details).toEqual({
      name: 'a',
      group: 'example.com',
      kind: 'widgets',
      causes: [{ message: text }],
    });
  });

  test('is left out where the policy fails open, and what can be done is done', async () => {
    await bind('p', { ...wrong, failurePolicy: 'Ignore' });
    const { code, body } = await widgets.create('a');
    expect([code, body.spec]).toEqual([201, { color: 'set' }]);
  });

  test('may be a binding without parameters', async () => {
    await bind(
      'p',
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, mutations: [colored('"red"')] },
      { paramRef: { name: 'gone', parameterNotFoundAction: 'Deny' } },
    );
    const { code, body } = await widgets.create('a');
    const why =
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction';
    expect([code, body.reason, body.message]).toEqual([
      403,
      'Forbidden',
      `policy 'p' with binding 'p' denied request: ${why}`,
    ]);
  });
});

describe('a second round', () => {
  test('comes for policies that want it, after anything changed', async () => {
    await bind('a', { mutations: [letter('a')] });
    await bind('b', { mutations: [letter('b')], reinvocationPolicy: 'IfNeeded' });
    await bind('c', { mutations: [letter('c')] });
    expect((await widgets.create('x')).body.spec).toEqual({ color: 'abcb' });
  });

  test('leaves out what the first did not match', async () => {
    const late = [{ name: 'late', expression: 'has(object.spec.color)' }];
    await bind('a', { mutations: [letter('a')], reinvocationPolicy: 'IfNeeded', matchConditions: late });
    await bind('b', { mutations: [letter('b')] });
    expect((await widgets.create('x')).body.spec).toEqual({ color: 'b' });
  });
});

test('a delete and the policies themselves are not asked about', async () => {
  await bind('p', {
    matchConstraints: {
      resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
    },
    mutations: [applied('Object{metadata: Object.metadata{labels: {"seen": "yes"}}}')],
  });
  const { body } = await widgets.create('a');
  expect(body.metadata.labels).toEqual({ seen: 'yes' });
  const policy = await widgets.call('GET', `${root}/mutatingadmissionpolicies/p`);
  await widgets.call('PUT', `${root}/mutatingadmissionpolicies/p`, policy.body);
  expect(
    (await widgets.call('GET', `${root}/mutatingadmissionpolicies/p`)).body.metadata.labels,
  ).toBeUndefined();
  expect((await widgets.call('DELETE', widgets.path('a'))).code).toBe(200);
});
