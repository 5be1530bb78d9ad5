import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type IlkServer, startServer } from '../../src/server.ts';

/**
 * How pods get their priority and their runtime class, are deleted, evicted and bound, and what a kube-apiserver answered: the rows of `kube-pods.test-data.jsonl`, recorded by
 * `tools/record/kube-pods`. Each row has a namespace of its own.
 */
interface Step {
  readonly method: string;
  /** A path in the namespace of the row, or one from the root. */
  readonly to: string;
  readonly body?: object;
  /** The content type of a patch; a merge patch by default. */
  readonly type?: string;
  /** The fields of the answer that are compared. */
  readonly shows?: readonly string[];
  readonly code: number;
  readonly shown?: Record<string, unknown>;
  readonly status?: object;
}

const rows = readFileSync(new URL('kube-pods.test-data.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly case: string; readonly steps: readonly Step[] });

let server: IlkServer;
beforeAll(async () => {
  // A kube-apiserver has none.
  server = await startServer({ listen: false, disableControllers: ['garbage-collector'] });
});
afterAll(() => server[Symbol.asyncDispose]());

function pathOf(to: string, namespace: string): string {
  if (to.startsWith('/')) return to;
  const root = to.startsWith('poddisruptionbudgets') ? '/apis/policy/v1' : '/api/v1';
  return `${root}/namespaces/${namespace}/${to}`;
}

const mergePatch = 'application/merge-patch+json';

async function send(method: string, path: string, body?: object, patchType = mergePatch) {
  const type = method === 'PATCH' ? patchType : 'application/json';
  return server.fetch(path, {
    method,
    headers: { 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const times = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g;
const uids = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const versions = /(in record \(|in object meta: )\d+/g;

/** Upstream ends some messages with a picture of a difference, after a line break. */
const pictures = /\\n(?:[^"\\]|\\.)*/g;
const withoutPictures = (step: object) => JSON.parse(JSON.stringify(step).replace(pictures, ''));

/** What the recorder keeps of an answer. */
async function take({ method, to, body, type, shows = [] }: Step, namespace: string): Promise<Partial<Step>> {
  const response = await send(method, pathOf(to, namespace), body, type);
  const text = (await response.text()).replaceAll(namespace, '<namespace>');
  if (text === '') return { code: response.status };
  const answer = JSON.parse(text.replace(times, '"<time>"'));
  if (answer.kind === 'Status') {
    const status = JSON.parse(text.replace(uids, '<uid>').replace(versions, '$1<version>'));
    return { code: response.status, status };
  }
  const shown = shows
    .map((path) => [path, path.split('.').reduce((one, step) => one?.[step], answer)] as const)
    .filter(([, value]) => value !== undefined);
  return { code: response.status, ...(shown.length === 0 ? {} : { shown: Object.fromEntries(shown) }) };
}

test.each(rows.map((row, index) => [row.case, row.steps, index] as const))('%s', async (_, steps, index) => {
  const namespace = `row-${index}`;
  await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  for (const step of steps) {
    const { method, to, body: _body, type: _type, shows: _shows, ...answer } = step;
    const taken = { method, to, ...(await take(step, namespace)) };
    expect(withoutPictures(taken)).toEqual(withoutPictures({ method, to, ...answer }));
  }
});

test('a watch shows the mark before the pod goes', async () => {
  const path = '/api/v1/namespaces/default/pods';
  const made = await send('POST', path, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const { metadata } = (await made.json()) as { metadata: { resourceVersion: string } };
  const from = metadata.resourceVersion;
  await send('DELETE', `${path}/p`);
  const watch = await send('GET', `${path}?watch=1&resourceVersion=${from}&timeoutSeconds=1`);
  const events = (await watch.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ type, object }) => [type, object.metadata.deletionGracePeriodSeconds])).toEqual([
    ['MODIFIED', 0],
    ['DELETED', 0],
  ]);
});

test('a namespace takes along pods that no kubelet ends', async () => {
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'gone' } });
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  for (const name of ['running', 'leaving'])
    await send('POST', '/api/v1/namespaces/gone/pods', { metadata: { name }, spec });
  await send('DELETE', '/api/v1/namespaces/gone/pods/leaving');
  await send('DELETE', '/api/v1/namespaces/gone');
  await vi.waitFor(async () => {
    expect((await send('GET', '/api/v1/namespaces/gone')).status).toBe(404);
  }, 20_000);
});

test('policies see evictions and bindings', async () => {
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const metadata = { name: 'guard' };
  await send('POST', policies, {
    metadata,
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['pods/eviction', 'pods/binding', 'bindings'],
          },
        ],
      },
      validations: [
        {
          expression: 'request.resource.resource == "none"',
          messageExpression: 'string(object.metadata.name)',
        },
      ],
    },
  });
  await send('POST', policies.replace('policies', 'policybindings'), {
    metadata,
    spec: { policyName: 'guard', validationActions: ['Deny'] },
  });
  const pods = '/api/v1/namespaces/default/pods';
  await send('POST', pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const body = { metadata: { name: 'p' }, target: { name: 'n' } };
  const ask = async (to: string) => (await (await send('POST', to, body)).json()) as { message: string };
  const denied = "is forbidden: ValidatingAdmissionPolicy 'guard' with binding 'guard' denied request: p";
  await vi.waitFor(async () => {
    expect((await ask(`${pods}/p/binding?dryRun=All`)).message).toBe(`pods "p" ${denied}`);
  }, 20_000);
  expect((await ask(`${pods}/p/eviction`)).message).toBe(`pods "p" ${denied}`);
  expect((await ask('/api/v1/namespaces/default/bindings')).message).toBe(`bindings "p" ${denied}`);
});

test('discovery shows them', async () => {
  const { resources } = (await (await send('GET', '/api/v1')).json()) as {
    readonly resources: readonly { readonly name: string }[];
  };
  const names = ['bindings', 'pods/binding', 'pods/eviction'];
  expect(resources.filter(({ name }) => names.includes(name))).toEqual([
    { name: 'bindings', singularName: 'binding', namespaced: true, kind: 'Binding', verbs: ['create'] },
    { name: 'pods/binding', singularName: '', namespaced: true, kind: 'Binding', verbs: ['create'] },
    {
      name: 'pods/eviction',
      singularName: '',
      namespaced: true,
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    },
  ]);
});
