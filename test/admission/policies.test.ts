import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Widgets } from './widgets.test-support.ts';

let widgets: Widgets;
beforeAll(async () => {
  widgets = await Widgets.start();
});
afterAll(() => widgets[Symbol.asyncDispose]());

const root = '/apis/admissionregistration.k8s.io/v1';
afterEach(async () => {
  await widgets.call('DELETE', `${root}/validatingadmissionpolicies`);
  await widgets.call('DELETE', `${root}/validatingadmissionpolicybindings`);
  await widgets.call('DELETE', widgets.path());
  await widgets.call('DELETE', '/api/v1/namespaces/default/configmaps');
});

async function post(path: string, body: object): Promise<void> {
  const answer = await widgets.call('POST', path, body);
  if (answer.code !== 201) throw new Error(answer.body.message);
}

const rules = [
  {
    operations: ['*'],
    apiGroups: ['example.com'],
    apiVersions: ['v1'],
    resources: ['widgets', 'widgets/scale'],
  },
];

/** A policy about widgets, and a binding of the same name. */
async function bind(spec: object, binding: object = {}, name = 'p.example.com'): Promise<void> {
  const metadata = { name };
  const policy = { matchConstraints: { resourceRules: rules }, ...spec };
  await post(`${root}/validatingadmissionpolicies`, { metadata, spec: policy });
  const bound = { policyName: name, validationActions: ['Deny'], ...binding };
  await post(`${root}/validatingadmissionpolicybindings`, { metadata, spec: bound });
}

const small = { expression: 'object == null || !has(object.spec.size) || object.spec.size < 10' };
const head = `ValidatingAdmissionPolicy 'p.example.com' with binding 'p.example.com' denied request: `;

describe('a denial', () => {
  test('has the expression, the message, or what messageExpression gives, as its text', async () => {
    const messages = [
      {},
      { message: ' too big ' },
      { messageExpression: '"got " + string(object.spec.size)' },
    ];
    const texts: string[] = [];
    for (const more of messages) {
      await bind({ validations: [{ ...small, ...more }] });
      const { code, body } = await widgets.create('a', { size: 12 });
      expect(code).toBe(422);
      texts.push(body.message);
      expect(body.reason).toBe('Invalid');
      expect(body.details).toEqual({
        name: 'a',
        group: 'example.com',
        kind: 'widgets',
        causes: [{ message: body.message.replace('widgets.example.com "a" is forbidden: ', '') }],
      });
      await widgets.call('DELETE', `${root}/validatingadmissionpolicies`);
      await widgets.call('DELETE', `${root}/validatingadmissionpolicybindings`);
    }
    expect(texts).toEqual(
      [`failed expression: ${small.expression}`, 'too big', 'got 12'].map(
        (text) => `widgets.example.com "a" is forbidden: ${head}${text}`,
      ),
    );
  });

  test('has the code of its reason', async () => {
    await bind({ validations: [{ ...small, reason: 'Forbidden' }] });
    const { code, body } = await widgets.create('a', { size: 12 });
    expect([code, body.reason]).toEqual([403, 'Forbidden']);
  });

  test('comes of an expression that fails, unless the policy fails open', async () => {
    await bind({ validations: [{ expression: 'object.spec.size < 10' }] });
    const { code, body } = await widgets.create('a');
    expect([code, body.message]).toEqual([
      422,
      `widgets.example.com "a" is forbidden: ${head}expression 'object.spec.size < 10' resulted in error: no such key: size`,
    ]);
    const path = `${root}/validatingadmissionpolicies/p.example.com`;
    await widgets.call('PATCH', path, { spec: { failurePolicy: 'Ignore' } }, 'application/merge-patch+json');
    expect((await widgets.create('a')).code).toBe(201);
    expect((await widgets.create('b', { size: 12 })).code).toBe(422);
  });
});

test('a policy without a binding does nothing, and a binding narrows it', async () => {
  const metadata = { name: 'p.example.com' };
  const spec = { matchConstraints: { resourceRules: rules }, validations: [small] };
  await post(`${root}/validatingadmissionpolicies`, { metadata, spec });
  expect((await widgets.create('a', { size: 12 })).code).toBe(201);
  const matchResources = { resourceRules: [{ ...rules[0], operations: ['UPDATE'] }] };
  const binding = { policyName: 'p.example.com', validationActions: ['Deny'], matchResources };
  await post(`${root}/validatingadmissionpolicybindings`, { metadata, spec: binding });
  expect((await widgets.create('b', { size: 12 })).code).toBe(201);
  const patch = (size: number) =>
    widgets.call('PATCH', widgets.path('b'), { spec: { size } }, 'application/merge-patch+json');
  expect((await patch(13)).code).toBe(422);
  expect((await patch(3)).code).toBe(200);
});

test('failures are warned of, or go to the audit event, as the binding says', async () => {
  await bind({ validations: [small] }, { validationActions: ['Warn', 'Audit'] });
  const { code, warnings } = await widgets.create('a', { size: 12 });
  expect([code, warnings]).toEqual([
    201,
    [
      `Validation failed for ValidatingAdmissionPolicy 'p.example.com' with binding 'p.example.com': failed expression: ${small.expression}`,
    ],
  ]);
});

test('variables are computed once, in order, when they are used', async () => {
  await bind({
    variables: [
      { name: 'size', expression: 'has(object.spec.size) ? object.spec.size : null' },
      { name: 'doubled', expression: 'variables.size == null ? 0 : int(variables.size) * 2' },
      { name: 'never', expression: 'object.spec.nothing' },
    ],
    validations: [
      { expression: 'variables.doubled < 20', messageExpression: '"doubled: " + string(variables.doubled)' },
      { expression: 'variables.size == null || variables.never == 1' },
    ],
  });
  expect((await widgets.create('a')).code).toBe(201);
  expect((await widgets.create('b', { size: 11 })).body.message).toContain('doubled: 22');
  expect((await widgets.create('c', { size: 1 })).body.message).toContain(
    `resulted in error: composited variable "never" fails to evaluate: no such key: nothing`,
  );
});

describe('parameters', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validations = [
    {
      expression: 'object.spec.size <= int(params.data.max)',
      messageExpression: '"at most " + params.data.max',
    },
  ];
  const limit = (name: string, max: string, labels = {}) =>
    post('/api/v1/namespaces/default/configmaps', { metadata: { name, labels }, data: { max } });

  test('are found by name in the namespace of the object', async () => {
    await bind({ paramKind, validations }, { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } });
    expect((await widgets.create('a', { size: 1 })).body.message).toContain(
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    );
    await limit('limit', '5');
    expect((await widgets.create('a', { size: 5 })).code).toBe(201);
    expect((await widgets.create('b', { size: 6 })).body.message).toContain('at most 5');
  });

  test('are found by a selector, and all of them must be met', async () => {
    const selector = { matchLabels: { kind: 'limit' } };
    await bind({ paramKind, validations }, { paramRef: { selector, parameterNotFoundAction: 'Allow' } });
    expect((await widgets.create('a', { size: 99 })).code).toBe(201);
    await limit('one', '9', { kind: 'limit' });
    await limit('two', '5', { kind: 'limit' });
    await limit('other', '1');
    expect((await widgets.create('b', { size: 4 })).code).toBe(201);
    expect((await widgets.create('c', { size: 7 })).body.message).toContain('at most 5');
  });

  test('of a kind that is not served refuse the write', async () => {
    const unknown = { apiVersion: 'none.example.com/v1', kind: 'None' };
    const paramRef = { name: 'x', parameterNotFoundAction: 'Allow' };
    await bind({ paramKind: unknown, validations }, { paramRef });
    expect((await widgets.create('a', { size: 1 })).body.message).toContain(
      "failed to configure policy: failed to find resource referenced by paramKind: 'none.example.com/v1, Kind=None'",
    );
  });
});

test('an expression knows the request, the namespace, the old object and what the user may do', async () => {
  const expressions = [
    "request.operation != 'CREATE' || (request.name == 'a' && request.userInfo.username == 'ilk-admin')",
    "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == request.namespace",
    "(oldObject == null) == (request.operation == 'CREATE')",
    "authorizer.group('example.com').resource('widgets').check('create').allowed()",
    "authorizer.requestResource.check('approve').allowed()",
    "request.resource.resource == 'widgets' && request.kind.kind == 'Widget' && !request.dryRun",
  ];
  await bind({ validations: expressions.map((expression) => ({ expression })) });
  expect((await widgets.create('a')).body.message).toBeUndefined();
  expect((await widgets.call('DELETE', widgets.path('a'))).code).toBe(200);
});

test('match conditions keep a policy from what it is not about', async () => {
  const matchConditions = [
    { name: 'red', expression: "has(object.spec.color) && object.spec.color == 'red'" },
  ];
  await bind({ matchConditions, validations: [{ expression: 'false' }] });
  expect((await widgets.create('a')).code).toBe(201);
  expect((await widgets.create('b', { color: 'red' })).code).toBe(422);
});

test('an expression that costs too much is given up', async () => {
  const nested = 'tags.all(a, object.spec.tags.all(b, object.spec.tags.all(c, (a + b + c).size() > 0)))';
  await bind({ validations: [{ expression: `object.spec.${nested}` }] });
  const tags = Array.from({ length: 200 }, (_, index) => `tag${index}`);
  expect((await widgets.create('a', { tags })).body.message).toContain('actual cost limit exceeded');
});

test('a write in another version is seen in the one that the policy names', async () => {
  await bind({
    validations: [
      { expression: "object.apiVersion == 'example.com/v1' && request.requestKind.version == 'v1beta1'" },
    ],
  });
  const body = { apiVersion: 'example.com/v1beta1', kind: 'Widget', metadata: { name: 'a' } };
  expect((await widgets.call('POST', widgets.path('', { version: 'v1beta1' }), body)).code).toBe(201);
});
