import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { startWebhookServer } from './admission/webhook-server.ts';
import { crdOf, versionOf } from '../test/fixtures/crd.ts';

const rounds = 7;
const writes = 600;
const headers = { 'content-type': 'application/json' };
const root = '/apis/admissionregistration.k8s.io/v1';
const path = '/apis/bench.example.com/v1/namespaces/default/plans';

const properties: JsonObject = {
  spec: {
    type: 'object',
    properties: {
      replicas: { type: 'integer' },
      color: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
};

const crd = crdOf('Plan', { group: 'bench.example.com', versions: [versionOf(properties)] });

async function post(server: IlkServer, to: string, body: object): Promise<void> {
  const response = await server.fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status >= 300) throw new Error(`${to}: ${await response.text()}`);
  await response.arrayBuffer();
}

const rulesAbout = (resource: string) => [
  { operations: ['CREATE'], apiGroups: ['bench.example.com'], apiVersions: ['v1'], resources: [resource] },
];

/** Policies with a parameter and a variable, about a resource. */
async function addPolicies(server: IlkServer, count: number, resource: string): Promise<void> {
  const config = { metadata: { name: 'limits' }, data: { max: '50', color: 'red' } };
  await post(server, '/api/v1/namespaces/default/configmaps', config);
  for (let index = 0; index < count; index += 1) {
    const name = `policy-${index}`;
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: { resourceRules: rulesAbout(resource) },
      variables: [{ name: 'max', expression: 'int(params.data.max)' }],
      validations: [
        { expression: `object.spec.replicas <= variables.max + ${index}` },
        { expression: 'object.spec.color == params.data.color || size(object.spec.tags) > 0' },
      ],
    };
    await post(server, `${root}/validatingadmissionpolicies`, { metadata: { name }, spec });
    const paramRef = { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' };
    const binding = { policyName: name, validationActions: ['Deny'], paramRef };
    await post(server, `${root}/validatingadmissionpolicybindings`, { metadata: { name }, spec: binding });
  }
}

let made = 0;
function planOf(): object {
  made += 1;
  const metadata = { name: `p-${made}` };
  const spec = { replicas: 3, color: 'blue', tags: ['a', 'b'] };
  return { apiVersion: 'bench.example.com/v1', kind: 'Plan', metadata, spec };
}

/** Microseconds of processor time for one call: others may work on the same machine. */
async function cpuUs(count: number, once: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) await once();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

interface Pair {
  readonly name: string;
  readonly floor: () => Promise<void>;
  readonly ours: () => Promise<void>;
}

/** Both in turns, so that what else the machine does strikes both. */
async function measured({ floor, ours }: Pair): Promise<readonly [floor: number, ours: number]> {
  const [floors, times]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const [a, b] = [await cpuUs(writes, floor), await cpuUs(writes, ours)];
    // The first round warms up.
    if (round > 0) {
      floors.push(a);
      times.push(b);
    }
  }
  return [median(floors), median(times)];
}

/** The plugins that configurations are for. */
const disableAdmissionPlugins = [
  'LimitRanger',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
];

/** Waits until the controller has checked the types of all policies: its writes would be measured, too. */
async function allChecked(server: IlkServer): Promise<void> {
  for (;;) {
    const response = await server.fetch(`${root}/validatingadmissionpolicies`);
    const { items } = (await response.json()) as { items: { status?: { observedGeneration?: number } }[] };
    if (items.every(({ status }) => status?.observedGeneration !== undefined)) return;
    await sleep(100);
  }
}

/** Creates in process, into memory, under policies and through a webhook, against creates under none. */
export async function run(print: (line: string) => void): Promise<void> {
  print('| what | floor | ours | rate |\n|---|---|---|---|');
  const plain = () => startServer({ crds: [crd], listen: false });
  await using twenty = await plain();
  await using thousand = await plain();
  await using none = await plain();
  await addPolicies(twenty, 20, 'plans');
  await addPolicies(thousand, 1_000, 'others');
  await allChecked(twenty);
  await allChecked(thousand);
  const create = (server: IlkServer) => () => post(server, path, planOf());
  for (const [name, server, floorOptions] of [
    ['create under 20 policies with parameters, against none', twenty, {}],
    ['create beside 1,000 policies about something else, against none', thousand, {}],
    [
      'create without any configuration, against a server without the plugins',
      none,
      { disableAdmissionPlugins },
    ],
  ] as const) {
    // A server of its own for each: creates cost more in one that has more objects.
    await using floor = await startServer({ crds: [crd], listen: false, ...floorOptions });
    const [a, b] = await measured({ name, floor: create(floor), ours: create(server) });
    print(`| ${name} | ${a.toFixed(0)} us | ${b.toFixed(0)} us | ${(a / b).toFixed(2)} x |`);
  }
  await compareWebhook(print, create(none));
}

/**
 * What a webhook adds to a create, against a round trip of the same bytes over a connection that is kept. The webhook
 * runs in this process. Between creates a round trip takes twice the processor time that it takes in a loop of its own,
 * because each finds the caches full of the other's code: the floor has a create before each round trip, too.
 */
async function compareWebhook(print: (line: string) => void, create: () => Promise<void>): Promise<void> {
  await using hook = await startWebhookServer();
  await using hooked = await startServer({ crds: [crd], listen: false });
  const webhook = {
    name: 'plans.bench.example.com',
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
    rules: rulesAbout('plans'),
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  await post(hooked, `${root}/validatingwebhookconfigurations`, {
    metadata: { name: 'hook' },
    webhooks: [webhook],
  });
  await post(hooked, path, planOf());
  const bytes = hook.lastRequest();
  const bare = () =>
    new Promise<void>((resolve, reject) => {
      const call = request(hook.url, { method: 'POST', headers, agent: hook.agent }, (response) => {
        response.resume().on('end', resolve);
      });
      call.on('error', reject).end(bytes);
    });
  const name = 'what a webhook adds to a create';
  const both = async () => {
    await create();
    await bare();
  };
  const [alone, withTrip] = await measured({ name, floor: create, ours: both });
  const [loop, through] = await measured({ name, floor: bare, ours: () => post(hooked, path, planOf()) });
  const [trip, added] = [withTrip - alone, through - alone];
  for (const [floorName, floor] of [
    ['a bare round trip after a create', trip],
    ['the same in a loop of its own', loop],
  ] as const) {
    const times = (added / floor).toFixed(2);
    print(
      `| ${name}, against ${floorName} | ${floor.toFixed(0)} us | ${added.toFixed(0)} us | ${times} x as long |`,
    );
  }
}
