import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { admissionConfigurationFlag } from '../../src/cli/flags/admission-configuration-flag.ts';
import { Widgets, widget } from './widgets.test-support.ts';

let widgets: Widgets;
beforeAll(async () => {
  widgets = await Widgets.start();
});
afterAll(() => widgets[Symbol.asyncDispose]());

let namespace = '';
let made = 0;
beforeEach(async () => {
  made += 1;
  namespace = `n${made}`;
  await widgets.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
});

const core = (resource: string, name = '') =>
  `/api/v1/namespaces/${namespace}/${resource}${name === '' ? '' : `/${name}`}`;
const items = (name = '') =>
  `/apis/example.com/v1/namespaces/${namespace}/widgets${name === '' ? '' : `/${name}`}`;
const status = async (name = 'q') => (await widgets.call('GET', core('resourcequotas', name))).body.status;

/** Makes a quota and waits until it was counted. */
async function limit(hard: Record<string, string>, more: object = {}, name = 'q'): Promise<void> {
  const { code, body } = await widgets.call('POST', core('resourcequotas'), {
    metadata: { name },
    spec: { hard, ...more },
  });
  if (code !== 201) throw new Error(body.message);
  await vi.waitFor(async () => expect((await status(name)).hard).toEqual(hard), { timeout: 10_000 });
}

const used = (expected: object, name = 'q') =>
  vi.waitFor(async () => expect((await status(name)).used).toEqual(expected), { timeout: 10_000 });
const create = async (name: string) => {
  const { code, body } = await widgets.call('POST', items(), widget(name));
  return code === 201 ? '' : `${code} ${body.message}`;
};

describe('a quota of custom resources', () => {
  test('counts what there is, adds what comes, and takes off what goes', async () => {
    await create('a');
    await limit({ 'count/widgets.example.com': '2' });
    expect((await status()).used).toEqual({ 'count/widgets.example.com': '1' });
    expect(await create('b')).toBe('');
    expect((await status()).used).toEqual({ 'count/widgets.example.com': '2' });
    expect(await create('c')).toBe(
      '403 widgets.example.com "c" is forbidden: exceeded quota: q, requested: count/widgets.example.com=1, used: count/widgets.example.com=2, limited: count/widgets.example.com=2',
    );
    await widgets.call('DELETE', items('a'));
    await used({ 'count/widgets.example.com': '1' });
    expect(await create('c')).toBe('');
  });

  test('is never exceeded by writes at once, and all of it can be used', async () => {
    await limit({ 'count/widgets.example.com': '25' });
    const names = Array.from({ length: 60 }, (_, index) => `w${index}`);
    const answers = await Promise.all(names.map(create));
    expect(answers.filter((answer) => answer === '')).toHaveLength(25);
    const { items: stored } = (await widgets.call('GET', items())).body;
    expect(stored).toHaveLength(25);
    await used({ 'count/widgets.example.com': '25' });
  });

  test('is asked about a dry run, which uses nothing', async () => {
    await limit({ 'count/widgets.example.com': '1' });
    const dry = () => widgets.call('POST', `${items()}?dryRun=All`, widget('dry'));
    expect((await dry()).code).toBe(201);
    expect((await status()).used).toEqual({ 'count/widgets.example.com': '0' });
    await create('a');
    expect((await dry()).code).toBe(403);
  });

  test('of a create that fails after all is given back', async () => {
    await limit({ 'count/widgets.example.com': '3' });
    await create('a');
    expect(await create('a')).toContain('409');
    await used({ 'count/widgets.example.com': '1' });
  });

  test('may be one of several, all of which must allow a write', async () => {
    await limit({ 'count/widgets.example.com': '5' });
    await limit({ 'count/widgets.example.com': '1', 'count/gone.example.com': '1' }, {}, 'small');
    expect(await create('a')).toBe('');
    expect(await create('b')).toContain('exceeded quota: small');
    await used({ 'count/widgets.example.com': '1' });
    await used({ 'count/widgets.example.com': '1' }, 'small');
  });

  test('is counted again when its limits change', async () => {
    await create('a');
    await limit({ 'count/configmaps': '5' });
    const { body } = await widgets.call('GET', core('resourcequotas', 'q'));
    const hard = { 'count/configmaps': '5', 'count/widgets.example.com': '1k' };
    await widgets.call('PUT', core('resourcequotas', 'q'), { ...body, spec: { hard } });
    await used({ 'count/configmaps': '0', 'count/widgets.example.com': '1' });
  });
});

describe('a quota of built-in kinds', () => {
  const service = (name: string, spec: object) => ({
    metadata: { name },
    spec: {
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
      ...spec,
    },
  });

  test('knows the older names', async () => {
    await limit({ configmaps: '2', secrets: '0', resourcequotas: '1' });
    const map = (name: string) => widgets.call('POST', core('configmaps'), { metadata: { name } });
    expect((await map('a')).code).toBe(201);
    expect((await map('b')).body.message ?? '').toBe('');
    expect((await map('c')).body.message).toContain(
      'exceeded quota: q, requested: configmaps=1, used: configmaps=2',
    );
    const secret = await widgets.call('POST', core('secrets'), { metadata: { name: 's' } });
    expect(secret.body.message).toContain('requested: secrets=1, used: secrets=0, limited: secrets=0');
    const second = await widgets.call('POST', core('resourcequotas'), { metadata: { name: 'r' } });
    expect(second.body.message).toContain('exceeded quota: q, requested: resourcequotas=1');
  });

  test('counts load balancers and ports of nodes, also of a service that becomes one', async () => {
    await limit({ services: '3', 'services.loadbalancers': '1', 'services.nodeports': '4' });
    expect((await widgets.call('POST', core('services'), service('plain', {}))).code).toBe(201);
    expect((await widgets.call('POST', core('services'), service('ports', { type: 'NodePort' }))).code).toBe(
      201,
    );
    const { body } = await widgets.call('GET', core('services', 'plain'));
    const balanced = { ...body, spec: { ...body.spec, type: 'LoadBalancer' } };
    expect((await widgets.call('PUT', core('services', 'plain'), balanced)).code).toBe(200);
    await used({ services: '2', 'services.loadbalancers': '1', 'services.nodeports': '4' });
    const third = await widgets.call('POST', core('services'), service('third', { type: 'LoadBalancer' }));
    expect(third.body.message).toContain(
      'exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=2, used: services.loadbalancers=1,services.nodeports=4, limited: services.loadbalancers=1,services.nodeports=4',
    );
  });

  test('looks at pods by their scopes', async () => {
    await limit({ pods: '1' }, { scopes: ['BestEffort'] });
    await limit(
      { pods: '1' },
      {
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
      'high',
    );
    await widgets.call('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name: 'high' },
      value: 1000,
    });
    const pod = (name: string, spec: object = {}, resources: object = {}) =>
      widgets.call('POST', core('pods'), {
        metadata: { name },
        spec: { containers: [{ name: 'c', image: 'i', resources }], ...spec },
      });
    const requests = { requests: { cpu: '1' } };
    expect((await pod('a')).code).toBe(201);
    expect((await pod('b')).body.message).toContain('exceeded quota: q');
    expect((await pod('c', {}, requests)).code).toBe(201);
    expect((await pod('d', { priorityClassName: 'high' }, requests)).body.message).toBeUndefined();
    expect((await pod('e', { priorityClassName: 'high' }, requests)).body.message).toContain(
      'exceeded quota: high',
    );
  });

  test('has names that there are, and amounts that are not below nothing', async () => {
    const post = (hard: object) =>
      widgets.call('POST', core('resourcequotas'), { metadata: { name: 'x' }, spec: { hard } });
    expect((await post({ widgets: '1' })).body.message).toBe(
      'ResourceQuota "x" is invalid: [spec.hard[widgets]: Invalid value: "widgets": must be a standard resource type or fully qualified, spec.hard[widgets]: Invalid value: "widgets": must be a standard resource for quota]',
    );
    expect((await post({ pods: '-1' })).body.message).toBe(
      'ResourceQuota "x" is invalid: spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
    );
  });
});

describe('what is limited where there is no quota', () => {
  let folder = '';
  let limited: Widgets;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ilk-admission-'));
    const plugin = { name: 'ResourceQuota', path: 'quota.yaml' };
    await write('admission.yaml', { kind: 'AdmissionConfiguration', plugins: [plugin] });
    const resource = { apiGroup: 'example.com', resource: 'widgets', matchContains: ['widgets'] };
    await write('quota.yaml', { kind: 'ResourceQuotaConfiguration', limitedResources: [resource] });
    limited = await Widgets.start(await admissionConfigurationFlag(join(folder, 'admission.yaml')));
  });
  afterAll(async () => {
    await limited[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const write = (name: string, document: object) =>
    writeFile(join(folder, name), JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', ...document }));

  test('is refused', async () => {
    expect((await limited.create('a')).body.message).toBe(
      'widgets.example.com "a" is forbidden: insufficient quota to consume: count/widgets.example.com',
    );
  });

  test('stands in a file that says what it is', async () => {
    const refusal = async (name: string, document: object) => {
      await write(name, document);
      return admissionConfigurationFlag(join(folder, name)).catch(
        (error: Error) => error.message.split(`${name}: `)[1],
      );
    };
    const plugins = (...plugins: object[]) => ({ kind: 'AdmissionConfiguration', plugins });
    expect(await refusal('kind.yaml', { kind: 'Other' })).toContain('no kind "Other" is registered');
    expect(await refusal('name.yaml', plugins({ name: 'Nope' }))).toBe('unknown admission plugin: Nope');
    expect(await refusal('other.yaml', plugins({ name: 'PodSecurity', configuration: {} }))).toBe(
      'admission plugin PodSecurity takes no configuration here',
    );
  });
});
