import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  type AuditBackend,
  Auditor,
  AuditPolicy,
  auditWebhook,
  BatchedBackend,
  forgiving,
  LogFile,
  truncating,
} from '../../src/audit/index.ts';
import type { Authorizer } from '../../src/auth/index.ts';
import { FakeClock } from '../../src/testing/index.ts';
import { systemClock, systemTimers } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { readServiceKubeconfig, ServiceClient } from '../../src/webhook/index.ts';
import { crdOf } from '../fixtures/crd.ts';
import { buildIfMissing, HttpsClient, IlkProcess } from '../fixtures/ilk-process.ts';
import { clusterBinding, get, isUser, send } from './requests.ts';
import { ReviewServer } from './review-server.test-support.ts';

/** What is written down of requests. Source: apiserver, pkg/audit and endpoints/filters/audit.go. */

const folder = mkdtempSync(join(tmpdir(), 'ilk-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const maps = '/api/v1/namespaces/default/configmaps';
const policyOf = (...rules: string[]) =>
  AuditPolicy.parse(
    `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n${rules.map((rule) => `- ${rule}\n`).join('')}`,
  );

/** A server, and the events that it writes. */
async function audited(policy: AuditPolicy, backend?: AuditBackend) {
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  const events: any[] = [];
  const kept: AuditBackend = {
    write: (texts) => void events.push(...texts.map((text) => JSON.parse(text))),
    close: async () => {},
  };
  const options = { policy, backends: [backend ?? kept], clock: systemClock, onTrouble: () => {} };
  const server = await startServer({ listen: false, crds: [crdOf('Widget')], auditor: new Auditor(options) });
  events.length = 0;
  return { server, events, [Symbol.asyncDispose]: () => server.close() };
}

describe('an event', () => {
  test('tells who did what, in upstream’s form', async () => {
    await using run = await audited(policyOf('level: RequestResponse'));
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
    const headers = {
      'audit-id': 'my-id',
      'user-agent': 'tester/1',
      'x-forwarded-for': '10.0.0.1, 10.0.0.2',
    };
    const answer = await run.server.fetch(`${maps}?fieldManager=me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(map),
    });
    expect(answer.headers.get('audit-id')).toBe('my-id');
    const stored = await answer.json();
    const times = { requestReceivedTimestamp: expect.any(String), stageTimestamp: expect.any(String) };
    const received = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: 'my-id',
      stage: 'RequestReceived',
      requestURI: `${maps}?fieldManager=me`,
      verb: 'create',
      user: { username: 'ilk-admin', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['10.0.0.1', '10.0.0.2'],
      userAgent: 'tester/1',
      objectRef: { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' },
      ...times,
    };
    expect(run.events).toEqual([
      received,
      {
        ...received,
        stage: 'ResponseComplete',
        objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
        responseStatus: { metadata: {}, code: 201 },
        requestObject: map,
        responseObject: stored,
        annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
      },
    ]);
    expect(run.events[0].stageTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Object.keys(run.events[1]).indexOf('user')).toBeLessThan(
      Object.keys(run.events[1]).indexOf('objectRef'),
    );
  });

  test('has as much of the bodies as its level says', async () => {
    await using run = await audited(
      policyOf(
        'level: Metadata\n  resources: [{group: "", resources: [secrets]}]\n  omitStages: [RequestReceived]',
        'level: Request\n  omitStages: [RequestReceived]',
      ),
    );
    const path = '/api/v1/namespaces/default/secrets';
    await send(run.server.fetch, 'POST', path, { metadata: { name: 's' }, stringData: { p: 'hidden' } });
    expect(run.events).toMatchObject([{ level: 'Metadata', objectRef: { resource: 'secrets', name: 's' } }]);
    expect(JSON.stringify(run.events)).not.toContain('hidden');
    run.events.length = 0;
    await send(run.server.fetch, 'POST', maps, { metadata: { name: 'b' }, data: { p: 'shown' } });
    expect(run.events).toMatchObject([{ level: 'Request', requestObject: { data: { p: 'shown' } } }]);
    expect(run.events[0].responseObject).toBeUndefined();
  });

  test('has all digits of the numbers in bodies', async () => {
    const texts: string[] = [];
    const backend = {
      write: (events: readonly string[]) => void texts.push(...events),
      close: async () => {},
    };
    await using run = await audited(
      policyOf('level: RequestResponse\n  omitStages: [RequestReceived]'),
      backend,
    );
    const spec = '{"id":9007199254740993,"text":"a < b","half":1.5}';
    const body = `{ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name":"w"},\n "spec": ${spec} }`;
    for (const type of ['json', 'apply-patch+yaml']) {
      texts.length = 0;
      const [method, path] = type === 'json' ? ['POST', ''] : ['PATCH', '/w?fieldManager=m&force=true'];
      const headers = { 'content-type': `application/${type}` };
      const answer = await run.server.fetch(`/apis/example.com/v1/namespaces/default/widgets${path}`, {
        method,
        headers,
        body,
      });
      expect([answer.status, texts.length]).toEqual([method === 'POST' ? 201 : 200, 1]);
      expect(texts[0]?.split('"spec":{"half":1.5,"id":9007199254740993,"text":"a \\u003c b"}').length).toBe(
        3,
      );
    }
  });

  test('leaves out managed fields where the policy does, of lists too', async () => {
    await using run = await audited(policyOf('level: RequestResponse\n  omitManagedFields: true'));
    await send(run.server.fetch, 'POST', maps, { metadata: { name: 'm' } });
    await get(run.server.fetch, maps);
    const [created, listed] = run.events.filter(({ stage }) => stage === 'ResponseComplete');
    expect(created.responseObject.metadata.name).toBe('m');
    expect(listed.responseObject.items.length).toBeGreaterThan(0);
    expect(JSON.stringify(run.events)).not.toContain('managedFields');
  });

  test('leaves out a list of more than 10 MiB, whose answer is whole', async () => {
    await using run = await audited(policyOf('level: RequestResponse\n  verbs: [list]'));
    const text = 'x'.repeat(1_000_000);
    for (let index = 0; index < 11; index += 1)
      await send(run.server.fetch, 'POST', maps, { metadata: { name: `large-${index}` }, data: { text } });
    const names = async (path: string) => {
      const { items } = Object(await (await run.server.fetch(path)).json());
      return items.filter(({ metadata }: { metadata: { name: string } }) =>
        metadata.name.startsWith('large-'),
      );
    };
    expect(await names(maps)).toHaveLength(11);
    const truncated = { 'audit.k8s.io/truncated': 'true' };
    expect(run.events.at(-1)).toMatchObject({ responseStatus: { code: 200 }, annotations: truncated });
    expect(run.events.at(-1).responseObject).toBeUndefined();
    expect(await names(`${maps}?limit=5`)).toHaveLength(5);
    expect(run.events.at(-1).responseObject.items).toHaveLength(5);
    expect(run.events.at(-1).annotations).not.toMatchObject(truncated);
  });

  test('tells of refusals: who may not, who acts for whom, and who did not say who', async () => {
    await using run = await audited(policyOf('level: Metadata\n  omitStages: [RequestReceived]'));
    await get(run.server.as({ name: 'eve' }).fetch, maps);
    const sentence =
      'configmaps is forbidden: User "eve" cannot list resource "configmaps" in API group "" in the namespace "default"';
    expect(run.events.at(-1)).toMatchObject({
      user: { username: 'eve' },
      responseStatus: { status: 'Failure', message: sentence, reason: 'Forbidden', code: 403 },
      annotations: { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': '' },
    });
    await get(run.server.fetch, maps, { 'impersonate-user': 'eve' });
    expect(run.events.at(-1)).toMatchObject({
      user: { username: 'ilk-admin' },
      impersonatedUser: { username: 'eve', groups: ['system:authenticated'] },
      annotations: { 'authorization.k8s.io/decision': 'forbid' },
    });
    await get(run.server.as({ token: 'nonsense' }).fetch, maps);
    expect(run.events.at(-1)).toMatchObject({
      stage: 'ResponseStarted',
      user: {},
      responseStatus: { message: 'Authentication failed, attempted: x509, bearer', code: 401 },
    });
    const bound = clusterBinding('viewers', 'ClusterRole/view', isUser('dora'));
    await send(run.server.fetch, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', bound);
    await get(run.server.as({ name: 'dora' }).fetch, maps);
    expect(run.events.at(-1).annotations).toEqual({
      'authorization.k8s.io/decision': 'allow',
      'authorization.k8s.io/reason':
        'RBAC: allowed by ClusterRoleBinding "viewers" of ClusterRole "view" to User "dora"',
    });
  });

  test('of a watch comes when it begins, and when it has ended', async () => {
    await using run = await audited(policyOf('level: Metadata\n  verbs: [watch]'));
    const watch = await run.server.fetch(`${maps}?watch=true&timeoutSeconds=1`);
    expect(run.events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted']);
    await watch.text();
    expect(run.events.map(({ stage }) => stage).at(-1)).toBe('ResponseComplete');
  });
});

describe('a policy', () => {
  const resource = (more: object) => ({
    user: { name: 'alice', groups: ['dev'] },
    verb: 'get',
    path: '/',
    resource: {
      group: '',
      version: 'v1',
      resource: 'pods',
      subresource: '',
      namespace: 'a',
      name: 'x',
      ...more,
    },
  });
  test.each<[string, object, boolean]>([
    ['resources: [{group: "", resources: [pods]}]', {}, true],
    ['resources: [{group: "", resources: [pods]}]', { subresource: 'log' }, false],
    ['resources: [{group: "", resources: [pods/log]}]', { subresource: 'log' }, true],
    ['resources: [{group: "", resources: ["pods/*"]}]', { subresource: 'log' }, true],
    ['resources: [{group: "", resources: ["pods/*"]}]', {}, true],
    ['resources: [{group: "", resources: ["*/log"]}]', { subresource: 'log' }, true],
    ['resources: [{group: "", resources: ["*/log"]}]', {}, false],
    ['resources: [{group: "", resources: ["*"]}]', { subresource: 'log' }, true],
    ['resources: [{group: "*"}]', { group: 'apps' }, true],
    ['resources: [{group: apps}]', {}, false],
    ['resources: [{group: "", resources: [pods], resourceNames: [other]}]', {}, false],
    ['namespaces: [a]', {}, true],
    ['namespaces: [""]', {}, false],
    ['users: [bob]', {}, false],
    ['userGroups: [ops, dev]', {}, true],
    ['verbs: [list]', {}, false],
    ['nonResourceURLs: ["*"]', {}, false],
  ])('%s against %j: %s', (rule, more, matches) => {
    const { level } = policyOf(`level: Metadata\n  ${rule}`).ruleFor(resource(more));
    expect(level).toBe(matches ? 'Metadata' : 'None');
  });

  test.each([
    ['/healthz*', '/healthz/etcd', true],
    ['/healthz*', '/livez', false],
    ['/metrics', '/metrics', true],
  ])('the path %s against %s: %s', (spec, path, matches) => {
    const policy = policyOf(`level: Metadata\n  nonResourceURLs: ["${spec}"]`);
    const asked = { user: undefined, verb: 'get', path, resource: undefined };
    expect(policy.ruleFor(asked).level === 'Metadata').toBe(matches);
  });

  test('the first rule that matches decides', () => {
    const policy = policyOf('level: None\n  users: [alice]', 'level: Metadata');
    expect(policy.ruleFor(resource({})).level).toBe('None');
  });

  test.each([
    ['kind: Pod', 'want kind Policy of audit.k8s.io/v1'],
    ['apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: []', 'loaded illegal policy with 0 rules'],
    [
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Some}, {nonResourceURLs: ["a*b"]}]',
      '[rules[0].level: Unsupported value: "Some": supported values: "None", "Metadata", "Request", "RequestResponse", rules[1].level: Required value, rules[1].nonResourceURLs[0]: Invalid value: "a*b": non-resource URL rules must begin with a \'/\' character, rules[1].nonResourceURLs[0]: Invalid value: "a*b": non-resource URL wildcards \'*\' must be the final character of the rule]',
    ],
    ['a: [', "yaml: did not find expected ',' or ']'"],
    [
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None, users: [yes, alice]}]',
      'rules[0].users: Invalid value: [true,"alice"]: want a list of strings',
    ],
  ])('%j is refused', (text, message) => {
    expect(() => AuditPolicy.parse(text)).toThrow(message);
  });
});

describe('a backend', () => {
  const failing: AuditBackend = {
    write: () => Promise.reject(new Error('disk full')),
    close: async () => {},
  };

  test('that must have the event keeps a request from being done; one that should have it does not', async () => {
    await using strict = await audited(policyOf('level: Metadata'), failing);
    const refused = await send(strict.server.fetch, 'POST', maps, { metadata: { name: 'never' } });
    expect([refused.status, refused.message]).toEqual([
      500,
      'Internal error occurred: failed to store audit event',
    ]);
    await using blocking = await audited(
      policyOf('level: Metadata'),
      forgiving(failing, () => {}),
    );
    expect((await send(blocking.server.fetch, 'POST', maps, { metadata: { name: 'a' } })).status).toBe(201);
  });

  test('in a file puts full files aside, and removes old ones', async () => {
    const path = join(folder, 'log', 'audit.log');
    let nowMs = Date.UTC(2026, 0, 1);
    const day = 24 * 60 * 60 * 1000;
    const file = new LogFile({
      path,
      bytesMax: 20,
      backupsMax: 2,
      ageMsMax: 3 * day,
      clock: { now: () => nowMs },
    });
    const names = () => readdirSync(join(folder, 'log')).sort();
    await file.write(['{"n":1}', '{"n":2}']);
    expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
    await file.write(['{"n":3}', '{"n":4}', '{"n":5}', '{"n":6}', '{"n":7}']);
    expect(names()).toEqual([
      'audit-2026-01-01T00-00-00.001.log',
      'audit-2026-01-01T00-00-00.002.log',
      'audit.log',
    ]);
    nowMs += 4 * day;
    await file.write(['{"n":8}', '{"n":9}']);
    expect(names()).toEqual(['audit-2026-01-05T00-00-00.000.log', 'audit.log']);
    await file.close();
  });

  test('in batches writes together what comes together, tries no event twice, and loses what is too much', async () => {
    const written: (readonly string[])[] = [];
    const slow: AuditBackend = { write: async (events) => void written.push(events), close: async () => {} };
    const options = {
      bufferSize: 3,
      batchSize: 2,
      waitMs: 60_000,
      timers: systemTimers,
      onTrouble: () => {},
    };
    const batched = new BatchedBackend(slow, options);
    batched.write(['a']);
    batched.write(['b']);
    batched.write(['c']);
    expect(() => batched.write(['d'])).toThrow('audit buffer queue blocked');
    await batched.close();
    expect(written).toEqual([['a', 'b'], ['c']]);
  });

  test('events that are too large lose their objects, and those that still are get lost', async () => {
    const written: string[][] = [];
    const lost: string[] = [];
    const kept: AuditBackend = {
      write: (texts) => void written.push([...texts]),
      close: async () => {},
    };
    const onTrouble = (error: unknown) => void lost.push(String(error));
    const backend = truncating(kept, { eventBytesMax: 100, batchBytesMax: 150, onTrouble });
    const event = (level: string, more: object) => JSON.stringify({ level, ...more });
    const text = 'x'.repeat(200);
    await backend.write([
      event('Request', { requestObject: { text }, annotations: { a: 'b' } }),
      event('Metadata', { verb: text }),
      event('RequestResponse', { responseObject: text, verb: text }),
      event('Metadata', { verb: 'y'.repeat(60) }),
    ]);
    expect(written).toEqual([
      [event('Request', { annotations: { a: 'b', 'audit.k8s.io/truncated': 'true' } })],
      [event('Metadata', { verb: 'y'.repeat(60) })],
    ]);
    const why = 'Error: audit: event is too large even after truncating';
    expect(lost).toEqual([why, why]);
  });

  test('of a request that took more than half a second says how long', async () => {
    const clock = new FakeClock();
    const events: string[] = [];
    const kept: AuditBackend = { write: (texts) => void events.push(...texts), close: async () => {} };
    const options = { policy: policyOf('level: Metadata'), backends: [kept], clock, onTrouble: () => {} };
    const slow: Authorizer = {
      authorize: () => {
        clock.advance(1_500);
        return { verdict: 'allow', reason: '' };
      },
    };
    await using server = await startServer({
      listen: false,
      clock,
      authorizer: slow,
      auditor: new Auditor(options),
    });
    await get(server.as({ name: 'alice' }).fetch, maps);
    const [last] = events.slice(-1).map((one) => JSON.parse(one));
    expect(last.annotations).toMatchObject({
      'apiserver.latency.k8s.io/total': '1.5s',
      'apiserver.latency.k8s.io/authorization': '1.5s',
    });
    expect(Object.keys(last.annotations).filter((key) => key.includes('latency'))).toHaveLength(2);
  });

  test('of a slow request names what took how long: authentication, impersonation, the store, webhooks', async () => {
    // Each look at the clock takes 100 ms, so that every part of the server is slow.
    let nowMs = Date.now();
    const clock = { now: () => (nowMs += 100) };
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    const events: any[] = [];
    const write = (texts: readonly string[]) => void events.push(...texts.map((text) => JSON.parse(text)));
    const auditor = new Auditor({
      policy: policyOf('{level: Metadata, omitStages: [RequestReceived], users: [ilk-admin]}'),
      backends: [{ write, close: async () => {} }],
      clock,
      onTrouble: () => {},
    });
    await using webhook = await ReviewServer.start(({ body }) => ({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: body.request.uid, allowed: true },
    }));
    await using server = await startServer({ listen: false, clock, auditor });
    const configuration = (kind: string) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: 'slow' },
      webhooks: [
        {
          name: 'slow.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: webhook.url, caBundle: Buffer.from(webhook.caPem).toString('base64') },
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
          ],
        },
      ],
    });
    const path = '/apis/admissionregistration.k8s.io/v1';
    for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])
      expect(
        (await send(server.fetch, 'POST', `${path}/${kind.toLowerCase()}s`, configuration(kind))).status,
      ).toBe(201);
    events.length = 0;
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } });
    const headers = {
      'content-type': 'application/json',
      'impersonate-user': 'bob',
      'impersonate-group': 'system:masters',
    };
    const answer = await server.fetch(maps, { method: 'POST', headers, body });
    expect(answer.status).toBe(201);
    const took = expect.stringMatching(/^[1-9][0-9.]*m?s$/);
    expect(events).toMatchObject([
      {
        annotations: Object.fromEntries(
          [
            'authentication',
            'impersonation',
            'authorization',
            'mutating-webhook',
            'validating-webhook',
            'etcd',
            'total',
          ].map((layer) => [`apiserver.latency.k8s.io/${layer}`, took]),
        ),
      },
    ]);
  });

  test('is written of watches over WebSockets, too, which end as the others do', async () => {
    const events: string[] = [];
    const write = (texts: readonly string[]) => void events.push(...texts);
    const policy = policyOf('{level: Metadata, verbs: [watch]}');
    const backends = [{ write, close: async () => {} }];
    const auditor = new Auditor({ policy, backends, clock: systemClock, onTrouble: () => {} });
    await using server = await startServer({ auditor });
    const token = /token: (\S+)/.exec(readFileSync(server.kubeconfigPath, 'utf8'))?.[1] ?? '';
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${maps}?watch=true&timeoutSeconds=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await once(socket, 'close');
    await vi.waitFor(() =>
      expect(events.map((event) => JSON.parse(event).stage)).toEqual([
        'RequestReceived',
        'ResponseStarted',
        'ResponseComplete',
      ]),
    );
  });

  test('behind a webhook gets an EventList', async () => {
    await using webhook = await ReviewServer.start(() => ({}));
    const service = await readServiceKubeconfig(webhook.kubeconfig, () => Promise.reject(new Error()));
    const client = new ServiceClient(service, { timeoutMs: 30_000 });
    await using run = await audited(
      policyOf('level: Metadata\n  omitStages: [RequestReceived]'),
      auditWebhook(client),
    );
    await get(run.server.fetch, maps);
    expect(webhook.posted[0]?.body).toMatchObject({
      kind: 'EventList',
      apiVersion: 'audit.k8s.io/v1',
      items: [{ verb: 'list', responseStatus: { code: 200 } }],
    });
  });
});

describe('ilk serve', () => {
  beforeAll(buildIfMissing);

  test('writes the log that flags name, and refuses a policy that is wrong', async () => {
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]');
    const log = join(folder, 'serve.log');
    const flags = ['serve', '--secure-port=0', '--storage=memory', `--audit-policy-file=${policy}`];
    const child = new IlkProcess([...flags, `--audit-log-path=${log}`]);
    const client = new HttpsClient((await child.ready()).kubeconfig);
    await client.call('GET', maps);
    client.close();
    child.kill('SIGTERM');
    await child.ended();
    const events = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { stage: 'RequestReceived', requestURI: maps, sourceIPs: ['127.0.0.1'] },
      { stage: 'ResponseComplete', responseStatus: { code: 200 } },
    ]);
    writeFileSync(policy, 'kind: Policy');
    const { code, err } = await new IlkProcess(flags).ended();
    expect([code, err]).toEqual([
      1,
      `ilk: --audit-policy-file ${policy}: want kind Policy of audit.k8s.io/v1\n`,
    ]);
  });

  test('takes the objects out of events that are too large for the log or the webhook, each by its own size', async () => {
    const policy = join(folder, 'truncated.yaml');
    const rules = '[{level: Request, verbs: [create], resources: [{group: "", resources: [configmaps]}]}]';
    const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]';
    writeFileSync(policy, `${head}\nrules: ${rules}`);
    await using webhook = await ReviewServer.start(() => ({}));
    const config = join(folder, 'webhook.kubeconfig');
    writeFileSync(config, webhook.kubeconfig);
    const log = join(folder, 'truncated.log');
    const flags = ['serve', '--secure-port=0', '--storage=memory', `--audit-policy-file=${policy}`];
    const sizes = (backend: string, event: number, batch: number) => [
      `--audit-${backend}-truncate-enabled`,
      `--audit-${backend}-truncate-max-event-size=${event}`,
      `--audit-${backend}-truncate-max-batch-size=${batch}`,
    ];
    const child = new IlkProcess([
      ...flags,
      `--audit-log-path=${log}`,
      ...sizes('log', 2_000, 4_000),
      `--audit-webhook-config-file=${config}`,
      '--audit-webhook-batch-max-wait=1h',
      ...sizes('webhook', 12_000, 12_000),
    ]);
    const client = new HttpsClient((await child.ready()).kubeconfig);
    for (const [name, size] of [
      ['small', 10],
      ['middling', 9_000],
      ['middling-too', 9_000],
      ['large', 30_000],
    ] as const) {
      const map = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        data: { text: 'x'.repeat(size) },
      };
      expect((await client.call('POST', maps, { body: map })).code).toBe(201);
    }
    client.close();
    child.kill('SIGTERM');
    await child.ended();
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    const shown = ({ objectRef, requestObject, annotations }: any) =>
      `${objectRef.name} ${requestObject !== undefined} ${annotations['audit.k8s.io/truncated']}`;
    const logged = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(logged.map((line) => shown(JSON.parse(line)))).toEqual([
      'small true undefined',
      'middling false true',
      'middling-too false true',
      'large false true',
    ]);
    // Sizes of batches are looked at before events wait for each other, as upstream does.
    expect(webhook.posted.map(({ body }) => body.items.map(shown))).toEqual([
      ['small true undefined', 'middling true undefined', 'middling-too true undefined', 'large false true'],
    ]);
  });

  test.each([
    ['log', '0', '10', 'invalid audit truncate log max event size 0, must be a positive number'],
    [
      'webhook',
      '10',
      '9',
      'invalid audit truncate webhook max batch size 9, must be greater than max event size (10)',
    ],
  ])('refuses sizes of the %s that cannot be: %s, %s', async (backend, event, batch, why) => {
    const policy = join(folder, 'sizes.yaml');
    writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]');
    const config = join(folder, 'sizes.kubeconfig');
    const cluster = { server: 'https://127.0.0.1:1' };
    writeFileSync(
      config,
      JSON.stringify({
        'current-context': 'it',
        contexts: [{ name: 'it', context: { cluster: 'it', user: 'me' } }],
        clusters: [{ name: 'it', cluster }],
        users: [{ name: 'me', user: { token: 'x' } }],
      }),
    );
    const { code, err } = await new IlkProcess([
      'serve',
      '--secure-port=0',
      '--storage=memory',
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${join(folder, 'sizes.log')}`,
      `--audit-webhook-config-file=${config}`,
      `--audit-${backend}-truncate-enabled`,
      `--audit-${backend}-truncate-max-event-size=${event}`,
      `--audit-${backend}-truncate-max-batch-size=${batch}`,
    ]).ended();
    expect([code, err]).toEqual([1, `ilk: ${why}\n`]);
  });
});
