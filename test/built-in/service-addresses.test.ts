import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';

const path = '/api/v1/namespaces/default/services';
/** Addresses for six services. */
const serviceClusterIpRange = '10.0.0.0/29';

const service = (name: string, spec: JsonObject = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ name: 'http', port: 80 }], ...spec },
});

async function refusal(api: Api, method: string, place: string, body: unknown): Promise<[number, string]> {
  const { code, body: status } = await api.call(method, place, body, 'application/json');
  return [code, status.message];
}

test('each service has an address of its own, until there is none left; a deleted one gives its own back', async () => {
  await using api = await Api.start({ serviceClusterIpRange, kubernetesService: true });
  const kubernetes = await api.get(`${path}/kubernetes`);
  expect(kubernetes.body.spec).toMatchObject({
    clusterIP: '10.0.0.1',
    ports: [{ port: 443, targetPort: 6443 }],
  });
  const names = ['a', 'b', 'c', 'd', 'e'];
  const made = await Promise.all(names.map((name) => api.create(path, service(name))));
  const addresses = made.map(({ spec }) => spec.clusterIP);
  expect(addresses.toSorted()).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6']);
  expect(await refusal(api, 'POST', path, service('f'))).toEqual([
    500,
    'Internal error occurred: failed to allocate a serviceIP: range is full',
  ]);
  await api.delete(`${path}/c`);
  expect((await api.create(path, service('f'))).spec.clusterIPs).toEqual([addresses[2]]);
});

test('many may write one service at once: it does not stand in its own way', async () => {
  await using api = await Api.start({ serviceClusterIpRange });
  const { spec } = await api.create(path, service('web', { type: 'NodePort' }));
  const label = (index: number) => ({ metadata: { labels: { [`l${index}`]: 'x' } } });
  const patches = Array.from({ length: 10 }, (_, index) =>
    api.call('PATCH', `${path}/web`, label(index), 'application/merge-patch+json'),
  );
  expect((await Promise.all(patches)).map(({ code }) => code)).toEqual(Array(10).fill(200));
  const { body } = await api.get(`${path}/web`);
  expect(body.spec).toEqual(spec);
  expect(Object.keys(body.metadata.labels)).toHaveLength(10);
});

test('the same names get the same addresses, and a dry run takes none', async () => {
  await using api = await Api.start();
  await using other = await Api.start();
  const tried = await api.call('POST', `${path}?dryRun=All`, service('web'));
  const { spec } = await other.create(path, service('web'));
  expect(tried.body.spec.clusterIP).toBe(spec.clusterIP);
  expect((await api.create(path, service('web'))).spec.clusterIP).toBe(spec.clusterIP);
  await using fork = await api.fork();
  await fork.delete(`${path}/web`);
  expect((await fork.create(path, service('again', { clusterIP: spec.clusterIP }))).spec.clusterIPs).toEqual([
    spec.clusterIP,
  ]);
});

test('an address that was asked for must be free, and of the range', async () => {
  await using api = await Api.start({ serviceClusterIpRange });
  await api.create(path, service('first', { clusterIP: '10.0.0.4' }));
  const head = 'Service "second" is invalid:';
  const asking = (clusterIP: string) => refusal(api, 'POST', path, service('second', { clusterIP }));
  expect(await asking('10.0.0.4')).toEqual([
    422,
    `${head} spec.clusterIPs: Invalid value: ["10.0.0.4"]: failed to allocate IP 10.0.0.4: provided IP is already allocated`,
  ]);
  expect(await asking('10.0.1.4')).toEqual([
    422,
    `${head} spec.clusterIPs: Invalid value: ["10.0.1.4"]: failed to allocate IP 10.0.1.4: the provided IP (10.0.1.4) ` +
      'is not in the valid range. The range of valid IPs is 10.0.0.0/29',
  ]);
  expect(await asking('x')).toEqual([
    422,
    `${head} spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
  ]);
});

test('an address stays, unless none is needed; who sends none keeps it', async () => {
  await using api = await Api.start();
  const { spec } = await api.create(path, service('web'));
  const replaced = await api.call('PUT', `${path}/web`, service('web', { selector: { app: 'web' } }));
  expect(replaced.body.spec).toMatchObject({ clusterIP: spec.clusterIP, selector: { app: 'web' } });
  expect(await refusal(api, 'PUT', `${path}/web`, service('web', { clusterIP: 'None' }))).toEqual([
    422,
    'Service "web" is invalid: spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set',
  ]);
  const named = { type: 'ExternalName', externalName: 'web.example.com' };
  const { spec: without } = await api.merge(`${path}/web`, { spec: named });
  expect([without.clusterIP, without.clusterIPs, without.ipFamilies]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const { spec: back } = await api.merge(`${path}/web`, { spec: { type: 'ClusterIP', externalName: null } });
  expect(back.clusterIP).toBe(spec.clusterIP);
});

test('a service without an address is of both families, unless it selects', async () => {
  await using api = await Api.start();
  const families = ({ spec }: JsonObject & { spec: JsonObject }) => [
    spec['clusterIPs'],
    spec['ipFamilies'],
    spec['ipFamilyPolicy'],
  ];
  const clusterIP = 'None';
  expect(families(await api.create(path, service('all', { clusterIP })))).toEqual([
    ['None'],
    ['IPv4', 'IPv6'],
    'RequireDualStack',
  ]);
  const selector = { app: 'web' };
  expect(families(await api.create(path, service('some', { clusterIP, selector })))).toEqual([
    ['None'],
    ['IPv4'],
    'SingleStack',
  ]);
});

test('nodes listen for services of some types, each on a port of its own', async () => {
  await using api = await Api.start();
  const ports = [{ port: 80, nodePort: 30_080 }];
  await api.create(path, service('asked', { type: 'NodePort', ports }));
  const refusedPort = (nodePort: number) =>
    refusal(api, 'POST', path, service('other', { type: 'NodePort', ports: [{ port: 80, nodePort }] }));
  expect(await refusedPort(30_080)).toEqual([
    422,
    'Service "other" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
  ]);
  expect(await refusedPort(80)).toEqual([
    422,
    'Service "other" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. ' +
      'The range of valid ports is 30000-32767',
  ]);
  const { spec } = await api.create(path, service('given', { type: 'LoadBalancer' }));
  const [{ nodePort }] = spec.ports;
  expect(nodePort).toBeGreaterThanOrEqual(30_000);
  const same = await api.call('PUT', `${path}/given`, service('given', { type: 'NodePort' }));
  expect(same.body.spec.ports[0].nodePort).toBe(nodePort);
  const inside = await api.merge(`${path}/given`, { spec: { type: 'ClusterIP' } });
  expect(inside.spec.ports[0].nodePort).toBeUndefined();
});

test('a range that is none is refused at start', async () => {
  await expect(startServer({ listen: false, serviceClusterIpRange: 'fd00::/108' })).rejects.toThrow(
    '"fd00::/108" is no range of IPv4 addresses such as "10.96.0.0/12"',
  );
});
