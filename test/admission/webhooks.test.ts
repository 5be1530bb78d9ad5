import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { allow, patch, type ReviewRequest, WebhookServer } from './webhook-server.test-support.ts';
import { widget, Widgets } from './widgets.test-support.ts';

let hooks: WebhookServer;
let widgets: Widgets;
beforeAll(async () => {
  hooks = await WebhookServer.start();
  widgets = await Widgets.start();
});
afterAll(async () => {
  await widgets[Symbol.asyncDispose]();
  await hooks[Symbol.asyncDispose]();
});
afterEach(async () => {
  for (const phase of ['mutating', 'validating'])
    await widgets.call('DELETE', `/apis/admissionregistration.k8s.io/v1/${phase}webhookconfigurations`);
  await widgets.call('DELETE', widgets.path());
  hooks.asked.length = 0;
});

test('a webhook is asked as upstream asks it', async () => {
  const seen: ReviewRequest[] = [];
  hooks.on('seer', (request, { path }) => {
    seen.push(request);
    expect(path).toBe('/seer?timeout=5s');
    return { allowed: true };
  });
  await widgets.configure('validating', [hooks.hook('seer')]);
  const { body } = await widgets.create('a', { size: 1 }, '?fieldManager=me');
  const [request] = seen;
  expect(request).toEqual({
    uid: request?.uid,
    kind: { group: 'example.com', version: 'v1', kind: 'Widget' },
    resource: { group: 'example.com', version: 'v1', resource: 'widgets' },
    requestKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
    requestResource: { group: 'example.com', version: 'v1', resource: 'widgets' },
    name: 'a',
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'ilk-admin', groups: ['system:masters', 'system:authenticated'] },
    object: { ...body, metadata: { ...body.metadata, resourceVersion: undefined } },
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
  });
});

test('mutating webhooks see neither uid nor generated name, validating ones both', async () => {
  const seen: string[] = [];
  const look = ({ name, object }: ReviewRequest) => {
    const { metadata } = object;
    seen.push(JSON.stringify([name ?? '', Object.keys(Object(metadata)).sort()]));
    return { allowed: true };
  };
  hooks.on('before', look);
  hooks.on('after', look);
  await widgets.configure('mutating', [hooks.hook('before')]);
  await widgets.configure('validating', [hooks.hook('after')]);
  const body = { ...widget(''), metadata: { generateName: 'a-', uid: 'mine' } };
  const { body: created } = await widgets.call('POST', widgets.path(), body);
  expect(seen).toEqual([
    '["",["generateName","managedFields","namespace"]]',
    `["${created.metadata.name}",["creationTimestamp","generateName","generation","managedFields","name","namespace","uid"]]`,
  ]);
});

describe('a mutating webhook', () => {
  test('changes the object, and defaults come again', async () => {
    hooks.on('shade', () => patch({ op: 'add', path: '/spec/shade', value: {} }));
    await widgets.configure('mutating', [hooks.hook('shade')]);
    expect((await widgets.create('a')).body.spec).toEqual({ shade: { depth: 3 } });
  });

  test('sees what the one before made', async () => {
    hooks.on('red', () => patch({ op: 'add', path: '/spec/color', value: 'red' }));
    hooks.on('tag', ({ object }) =>
      patch({ op: 'add', path: '/spec/tags', value: [JSON.stringify(object['spec'])] }),
    );
    await widgets.configure('mutating', [hooks.hook('red'), hooks.hook('tag')]);
    expect((await widgets.create('a')).body.spec).toEqual({ color: 'red', tags: ['{"color":"red"}'] });
  });

  test('is asked again after a later one changed the object, if it wants to be', async () => {
    hooks.on('counter', ({ object }) => {
      const { tags = [] } = object['spec'] as { tags?: string[] };
      return patch({ op: 'add', path: '/spec/tags', value: [...tags, 'seen'] });
    });
    hooks.on('painter', () => patch({ op: 'add', path: '/spec/color', value: 'red' }));
    const again = { reinvocationPolicy: 'IfNeeded' };
    await widgets.configure('mutating', [hooks.hook('counter', again), hooks.hook('painter')]);
    expect((await widgets.create('a')).body.spec).toEqual({ color: 'red', tags: ['seen', 'seen'] });
    expect(hooks.asked).toEqual(['counter', 'painter', 'counter']);
  });

  test('that changes what is deleted is refused', async () => {
    hooks.on('late', ({ operation }) =>
      operation === 'DELETE' ? patch({ op: 'add', path: '/spec/size', value: 1 }) : allow(),
    );
    await widgets.configure('mutating', [hooks.hook('late')]);
    await widgets.create('a');
    const { code, body } = await widgets.call('DELETE', widgets.path('a'));
    expect([code, body.message]).toEqual([
      500,
      'Internal error occurred: admission webhook "late.example.com" attempted to modify the object, which is not supported for this operation',
    ]);
  });

  test('that breaks managed fields changes all but them', async () => {
    const broken = [
      { manager: 'x', operation: 'Nonsense', apiVersion: 'example.com/v1', fieldsType: 'FieldsV1' },
    ];
    hooks.on('breaker', () =>
      patch(
        { op: 'add', path: '/metadata/managedFields', value: broken },
        { op: 'add', path: '/spec/color', value: 'red' },
      ),
    );
    await widgets.configure('mutating', [hooks.hook('breaker')]);
    const { code, body, warnings } = await widgets.create('a', { size: 1 }, '?fieldManager=me');
    expect([code, body.spec]).toEqual([201, { size: 1, color: 'red' }]);
    expect(body.metadata.managedFields).toMatchObject([{ manager: 'me', operation: 'Update' }]);
    expect(warnings).toEqual([
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`',
    ]);
  });

  test('cannot rename the object', async () => {
    hooks.on('namer', ({ operation }) =>
      operation === 'UPDATE' ? patch({ op: 'replace', path: '/metadata/name', value: 'b' }) : allow(),
    );
    await widgets.configure('mutating', [hooks.hook('namer')]);
    await widgets.create('a');
    const body = { spec: { size: 3 } };
    const { code } = await widgets.call('PATCH', widgets.path('a'), body, 'application/merge-patch+json');
    expect(code).toBeGreaterThanOrEqual(400);
    expect((await widgets.call('GET', widgets.path('a'))).body.spec).toEqual({});
  });

  test('cannot write what the schema does not allow', async () => {
    hooks.on('huge', () => patch({ op: 'add', path: '/spec/size', value: 101 }));
    await widgets.configure('mutating', [hooks.hook('huge')]);
    const { code, body } = await widgets.create('a');
    expect([code, body.reason]).toEqual([422, 'Invalid']);
  });
});

describe('a webhook that denies a write', () => {
  const cases: readonly [string, object | undefined, number, string, string | undefined][] = [
    ['with nothing', undefined, 400, 'denied the request without explanation', undefined],
    ['with a message', { message: 'no' }, 400, 'denied the request: no', undefined],
    ['with a reason', { reason: 'Forbidden' }, 400, 'denied the request: Forbidden', 'Forbidden'],
    [
      'with a code',
      { code: 403, message: 'no', reason: 'Forbidden' },
      403,
      'denied the request: no',
      'Forbidden',
    ],
    [
      'with a success',
      { code: 200, status: 'Success', message: 'ok' },
      400,
      'denied the request: ok',
      undefined,
    ],
  ];
  test.each(cases)('%s', async (_, status, code, message, reason) => {
    hooks.on('deny', () => ({ allowed: false, ...(status && { status }) }));
    await widgets.configure('validating', [hooks.hook('deny')]);
    const { body } = await widgets.create('a');
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `admission webhook "deny.example.com" ${message}`,
      ...(reason && { reason }),
      code,
    });
  });
});

describe('a webhook that gives no proper answer', () => {
  const answered = (body: string, code = 200) => ({ body, code });
  const reviewed = (response: object, more: object = {}) =>
    answered(
      JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response, ...more }),
    );
  const cases: readonly [string, { body: string; code: number }, string][] = [
    [
      'of a code',
      answered('sorry', 404),
      'failed to call webhook: the server could not find the requested resource',
    ],
    [
      'of a broken server',
      answered('ouch', 500),
      'failed to call webhook: an error on the server ("ouch") has prevented the request from succeeding',
    ],
    [
      'of nothing',
      answered(''),
      'failed to call webhook: 0-length response with status code: 200 and content type: ',
    ],
    [
      'of no response',
      answered('{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}'),
      'received invalid webhook response: webhook response was absent',
    ],
    [
      'of another uid',
      reviewed({ uid: 'x', allowed: true }),
      'received invalid webhook response: expected response.uid="UID", got "x"',
    ],
    [
      'of another version',
      reviewed({ uid: 'UID', allowed: true }, { apiVersion: 'admission.k8s.io/v1beta1' }),
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'of a patch',
      reviewed({ uid: 'UID', allowed: true, patch: 'W10=', patchType: 'JSONPatch' }),
      'received invalid webhook response: validating webhook may not return response.patch',
    ],
    [
      'of a redirect',
      answered('', 302),
      'failed to call webhook: the server responded with the status code 302 but did not return more information',
    ],
  ];
  test.each(cases)('fails closed, or open where it says so: %s', async (_, { body, code }, message) => {
    let uid = '';
    hooks.raw('broken', (request, response) => {
      let text = '';
      request.on('data', (piece) => (text += piece));
      request.on('end', () => {
        uid = JSON.parse(text).request.uid;
        response.writeHead(code, { location: 'https://127.0.0.1:1/' }).end(body.replace('"UID"', `"${uid}"`));
      });
    });
    await widgets.configure('validating', [hooks.hook('broken')]);
    const { body: status } = await widgets.create('a');
    const text = `failed calling webhook "broken.example.com": ${message.replace('"UID"', `"${uid}"`)}`;
    expect(status).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(status.message.startsWith(`Internal error occurred: ${text}`), status.message).toBe(true);
    await widgets.configure('validating', [hooks.hook('broken', { failurePolicy: 'Ignore' })]);
    expect((await widgets.create('a')).code).toBe(201);
  });

  test('in time', async () => {
    hooks.raw('slow', () => {});
    await widgets.configure('validating', [hooks.hook('slow', { timeoutSeconds: 1 })]);
    const { body } = await widgets.create('a');
    expect(body.message).toBe(
      `Internal error occurred: failed calling webhook "slow.example.com": failed to call webhook: Post "https://127.0.0.1:${hooks.port}/slow?timeout=1s": context deadline exceeded`,
    );
  });

  test('but more than fits', async () => {
    hooks.raw('endless', (_, response) => {
      response.writeHead(200);
      const write = () => {
        while (response.write(Buffer.alloc(1 << 20)));
        response.once('drain', write);
      };
      write();
    });
    await widgets.configure('validating', [hooks.hook('endless')]);
    expect((await widgets.create('a')).body.message).toContain('the response is larger than 16777216 bytes');
  });
});

test('warnings reach the client', async () => {
  hooks.on('warner', () => ({ allowed: true, warnings: ['careful', 'very'] }));
  await widgets.configure('validating', [hooks.hook('warner')]);
  expect((await widgets.create('a')).warnings).toEqual(['careful', 'very']);
});

test('a dry run asks only those that do nothing else', async () => {
  hooks.on('pure', ({ dryRun }) => ({ allowed: true, warnings: [`dry run: ${String(dryRun)}`] }));
  await widgets.configure('validating', [hooks.hook('pure', { sideEffects: 'NoneOnDryRun' })]);
  const { code, warnings } = await widgets.create('a', {}, '?dryRun=All');
  expect([code, warnings]).toEqual([201, ['dry run: true']]);
});

describe('the resource and version of the review', () => {
  const names = async (more: object, act: () => Promise<unknown>) => {
    hooks.on('picky', allow);
    await widgets.configure('validating', [hooks.hook('picky', more)]);
    hooks.asked.length = 0;
    await act();
    return hooks.asked.length;
  };
  const rule = (more: object) => ({
    rules: [
      {
        operations: ['CREATE'],
        apiGroups: ['example.com'],
        apiVersions: ['v1'],
        resources: ['widgets'],
        ...more,
      },
    ],
  });

  test('follows rules', async () => {
    expect(await names(rule({}), () => widgets.create('a'))).toBe(1);
    expect(await names(rule({ operations: ['UPDATE'] }), () => widgets.create('b'))).toBe(0);
    expect(await names(rule({ resources: ['*/status'] }), () => widgets.create('c'))).toBe(0);
    expect(await names(rule({ scope: 'Cluster' }), () => widgets.create('d'))).toBe(0);
    expect(await names(rule({ resources: ['*'] }), () => widgets.create('e'))).toBe(1);
  });

  test('is the object, whatever its version, unless a webhook wants exactly one', async () => {
    const seen: unknown[] = [];
    hooks.on('picky', ({ kind, requestKind, object }) => {
      seen.push([kind, requestKind, object['apiVersion']]);
      return allow();
    });
    const beta = () =>
      widgets.call('POST', widgets.path('', { version: 'v1beta1' }), widget('a', {}, 'v1beta1'));
    await widgets.configure('validating', [hooks.hook('picky', rule({}))]);
    await beta();
    const kind = (version: string) => ({ group: 'example.com', version, kind: 'Widget' });
    expect(seen).toEqual([[kind('v1'), kind('v1beta1'), 'example.com/v1']]);
    await widgets.configure('validating', [hooks.hook('picky', { ...rule({}), matchPolicy: 'Exact' })]);
    hooks.asked.length = 0;
    await widgets.call('DELETE', widgets.path('a'));
    await beta();
    expect(hooks.asked).toEqual([]);
  });

  test('follows selectors of objects, of namespaces, and conditions', async () => {
    const objectSelector = { matchLabels: { a: 'b' } };
    const labelled = { ...widget('x'), metadata: { name: 'x', labels: { a: 'b' } } };
    expect(await names({ objectSelector }, () => widgets.create('a'))).toBe(0);
    expect(await names({ objectSelector }, () => widgets.call('POST', widgets.path(), labelled))).toBe(1);
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'default' } };
    const elsewhere = { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } };
    expect(await names({ namespaceSelector }, () => widgets.create('b'))).toBe(1);
    expect(await names({ namespaceSelector: elsewhere }, () => widgets.create('c'))).toBe(0);
    const matchConditions = [{ name: 'large', expression: 'object.spec.size > 10' }];
    expect(await names({ matchConditions }, () => widgets.create('d', { size: 9 }))).toBe(0);
    expect(await names({ matchConditions }, () => widgets.create('e', { size: 11 }))).toBe(1);
  });

  test('a condition that fails refuses the write, unless the webhook fails open', async () => {
    const matchConditions = [{ name: 'large', expression: 'object.spec.size > 10' }];
    hooks.on('picky', allow);
    await widgets.configure('validating', [hooks.hook('picky', { matchConditions })]);
    const { code, body } = await widgets.create('a');
    expect([code, body.message]).toEqual([
      403,
      'widgets.example.com "a" is forbidden: expression \'object.spec.size > 10\' resulted in error: no such key: size',
    ]);
    await widgets.configure('validating', [
      hooks.hook('picky', { matchConditions, failurePolicy: 'Ignore' }),
    ]);
    expect((await widgets.create('a')).code).toBe(201);
    expect(hooks.asked).toEqual([]);
  });

  test('is never a configuration', async () => {
    hooks.on('picky', () => ({ allowed: false }));
    const everything = {
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
    };
    await widgets.configure('validating', [hooks.hook('picky', everything)]);
    await widgets.configure('validating', [hooks.hook('picky', rule({}))]);
    expect((await widgets.create('a')).code).toBe(400);
  });
});

test('a configuration counts for the next request, and no longer than it is there', async () => {
  hooks.on('deny', () => ({ allowed: false }));
  for (let round = 0; round < 5; round += 1) {
    await widgets.configure('validating', [hooks.hook('deny')]);
    expect((await widgets.create(`a${round}`)).code).toBe(400);
    await widgets.call(
      'DELETE',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/hooks',
    );
    expect((await widgets.create(`a${round}`)).code).toBe(201);
  }
});
