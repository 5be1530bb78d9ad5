import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReviewRequest, WebhookServer } from './webhook-server.test-support.ts';
import { type Answer, widget, Widgets } from './widgets.test-support.ts';

/** Every write path with every kind of admission: the attributes that it gets, and that it can refuse. */

let hooks: WebhookServer;
let widgets: Widgets;
const seen: ReviewRequest[] = [];
const refusing = { mutating: false, validating: false };

beforeAll(async () => {
  hooks = await WebhookServer.start();
  widgets = await Widgets.start();
  for (const phase of ['mutating', 'validating'] as const) {
    hooks.on(phase, (request) => {
      seen.push(request);
      return { allowed: !refusing[phase], status: { message: phase } };
    });
  }
  await widgets.configure('mutating', [hooks.hook('mutating')]);
  await widgets.configure('validating', [hooks.hook('validating')]);
  const root = '/apis/admissionregistration.k8s.io/v1';
  const metadata = { name: 'p.example.com' };
  const rules = [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['*'], resources: ['*/*'] }];
  const validations = [
    {
      expression: "request.userInfo.username == ''",
      messageExpression:
        "[request.operation, request.?subResource.orValue('-'), string(object != null), string(oldObject != null), string(request.options.kind)].join(' ')",
    },
  ];
  const spec = { matchConstraints: { resourceRules: rules }, validations };
  const { body } = await widgets.call('POST', `${root}/validatingadmissionpolicies`, { metadata, spec });
  expect(body.message).toBeUndefined();
  const binding = { policyName: 'p.example.com', validationActions: ['Warn'] };
  await widgets.call('POST', `${root}/validatingadmissionpolicybindings`, { metadata, spec: binding });
  const told = `request.operation + ' ' + request.?subResource.orValue('-')`;
  const expression = `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"told": ${told}}}]`;
  const mutation = {
    matchConstraints: { resourceRules: rules },
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
    reinvocationPolicy: 'Never',
  };
  const made = await widgets.call('POST', `${root}/mutatingadmissionpolicies`, { metadata, spec: mutation });
  expect(made.body.message).toBeUndefined();
  const bound = { policyName: 'p.example.com' };
  await widgets.call('POST', `${root}/mutatingadmissionpolicybindings`, { metadata, spec: bound });
});
afterAll(async () => {
  await widgets[Symbol.asyncDispose]();
  await hooks[Symbol.asyncDispose]();
});

const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const scale = {
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: 'default' },
  spec: { replicas: 4 },
};
const latest = async () => (await widgets.call('GET', widgets.path('a'))).body;
const at = (query: string, name = 'a') => widgets.path(name, { query });
const sub = (name: string, query: string) => widgets.path('a').concat('/', name, query);

interface WritePath {
  readonly name: string;
  /** Whether there is an object before. */
  readonly onExisting: boolean;
  readonly write: (query: string) => Promise<Answer>;
  readonly told: string;
}

const paths: readonly WritePath[] = [
  {
    name: 'create',
    onExisting: false,
    write: (query) => widgets.create('a', { size: 2 }, query),
    told: 'CREATE - true false CreateOptions',
  },
  {
    name: 'update',
    onExisting: true,
    write: async (query) => widgets.call('PUT', at(query), { ...(await latest()), spec: { size: 2 } }),
    told: 'UPDATE - true true UpdateOptions',
  },
  {
    name: 'merge patch',
    onExisting: true,
    write: (query) => widgets.call('PATCH', at(query), { spec: { size: 2 } }, merge),
    told: 'UPDATE - true true UpdateOptions',
  },
  {
    name: 'JSON patch',
    onExisting: true,
    write: (query) =>
      widgets.call(
        'PATCH',
        at(query),
        [{ op: 'replace', path: '/spec/size', value: 2 }],
        'application/json-patch+json',
      ),
    told: 'UPDATE - true true UpdateOptions',
  },
  {
    name: 'apply of what is there',
    onExisting: true,
    write: (query) =>
      widgets.call(
        'PATCH',
        at(`${query}&fieldManager=m&force=true`),
        JSON.stringify(widget('a', { size: 2 })),
        apply,
      ),
    told: 'UPDATE - true true UpdateOptions',
  },
  {
    name: 'apply of what is not',
    onExisting: false,
    write: (query) =>
      widgets.call('PATCH', at(`${query}&fieldManager=m`), JSON.stringify(widget('a', { size: 2 })), apply),
    told: 'CREATE - true false CreateOptions',
  },
  {
    name: 'update of the status',
    onExisting: true,
    write: async (query) =>
      widgets.call('PUT', sub('status', query), { ...(await latest()), status: { note: 'x' } }),
    told: 'UPDATE status true true UpdateOptions',
  },
  {
    name: 'patch of the status',
    onExisting: true,
    write: (query) => widgets.call('PATCH', sub('status', query), { status: { note: 'y' } }, merge),
    told: 'UPDATE status true true UpdateOptions',
  },
  {
    name: 'update of the scale',
    onExisting: true,
    write: (query) => widgets.call('PUT', sub('scale', query), scale),
    told: 'UPDATE scale true true UpdateOptions',
  },
  {
    name: 'patch of the scale',
    onExisting: true,
    write: (query) => widgets.call('PATCH', sub('scale', query), { spec: { replicas: 5 } }, merge),
    told: 'UPDATE scale true true UpdateOptions',
  },
  {
    name: 'delete',
    onExisting: true,
    write: (query) => widgets.call('DELETE', at(query)),
    told: 'DELETE - false true DeleteOptions',
  },
  {
    name: 'deletecollection',
    onExisting: true,
    write: (query) => widgets.call('DELETE', at(query, '')),
    told: 'DELETE - false true DeleteOptions',
  },
];

async function begin(onExisting: boolean): Promise<object | undefined> {
  Object.assign(refusing, { mutating: false, validating: false });
  await widgets.call('DELETE', widgets.path('a'));
  if (onExisting) await widgets.create('a', { size: 1, replicas: 3 });
  seen.length = 0;
  return onExisting ? latest() : undefined;
}

describe.each(paths)('$name', ({ name, onExisting, write, told }) => {
  test.each(['?', '?dryRun=All'])('is shown to webhooks and policies (%s)', async (query) => {
    const before = await begin(onExisting);
    const { code, warnings } = await write(query);
    expect(code).toBeLessThan(300);
    expect(warnings).toEqual([
      `Validation failed for ValidatingAdmissionPolicy 'p.example.com' with binding 'p.example.com': ${told}`,
    ]);
    const [operation, subResource, hasObject] = told.split(' ');
    expect(seen).toHaveLength(2);
    for (const request of seen) {
      expect(request).toMatchObject({ operation, dryRun: query !== '?', namespace: 'default' });
      expect(request['subResource'] ?? '-').toBe(subResource);
      expect(request['name']).toBe(name === 'deletecollection' ? undefined : 'a');
      expect(request.object !== null).toBe(hasObject === 'true');
      if (subResource !== 'scale') expect(request.oldObject ?? undefined).toEqual(before);
      else expect(request.oldObject).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
    }
    // Mutating policies come before all webhooks. What a subresource does not write is gone before validation.
    const annotations = { told: `${operation} ${subResource}` };
    if (hasObject === 'true') expect(seen[0]?.object).toMatchObject({ metadata: { annotations } });
    if (query !== '?') expect((await latest()).metadata).toEqual(Object(before).metadata ?? {});
  });

  test.each(['mutating', 'validating'] as const)(
    'can be refused by a %s webhook, and changes nothing then',
    async (phase) => {
      const before = await begin(onExisting);
      refusing[phase] = true;
      const { code, body } = await write('?');
      expect([code, body.message]).toEqual([
        400,
        `admission webhook "${phase}.example.com" denied the request: ${phase}`,
      ]);
      const after = await latest();
      if (onExisting) expect(after).toEqual(before);
      else expect(after.code).toBe(404);
    },
  );
});
