import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { alphaGate, crdPath, cronCrd } from './gated.test-support.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';

const bin = fileURLToPath(new URL('../../bin', import.meta.url));
const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };

/** kubectl sends no credentials without TLS. */
const listen = { host: '127.0.0.1', port: 0, tls: true };

const deprecated = {
  name: 'Foo',
  preRelease: 'deprecated',
  default: true,
  fieldDeprecationWarning: 'use .spec.image',
  fieldPaths: ['.spec.foo'],
};
const crons = cronCrd([]);
(crons['spec'] as JsonObject)['customFeatureGates'] = {
  component: 'istio',
  featureGates: [
    alphaGate('Replicas', '.spec.replicas'),
    deprecated,
    { ...alphaGate('Qux', '.spec.foo.qux'), preRelease: 'beta' },
  ],
};

/** Another kind, whose gates have no owner. */
const boxes: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'boxes', singular: 'box', kind: 'Box', shortNames: ['bx'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
    customFeatureGates: {
      featureGates: [
        alphaGate('Lids', '.spec.lid', '.spec.hinge'),
        { ...alphaGate('Locks', '.spec.lid.lock'), enabled: true },
      ],
    },
  },
};

/** kubectl learned to pass flags on to plugins long ago; what it prints itself has settled since 1.30. */
describe.skipIf((kubectlMinor ?? 0) < 30)('kubectl feature-gates (skipped without kubectl 1.30)', () => {
  let server: IlkServer;
  let kubectl: Kubectl;
  beforeAll(async () => {
    buildIfMissing();
    server = await startServer({ crds: [crons, boxes], listen });
    kubectl = new Kubectl(server.kubeconfigPath);
  });
  afterAll(async () => {
    kubectl[Symbol.dispose]();
    await server.close();
  });
  const gates = (words = '') => kubectl.run(`feature-gates${words === '' ? '' : ` ${words}`}`, [], { env });

  test('lists the gates of all CRDs', async () => {
    const { code, out, err } = await gates();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'CRD                           GATE       COMPONENT   STAGE        DEFAULT   ENABLED   PATHS',
        'boxes.example.com             Lids       <none>      alpha        false     false     .spec.lid,.spec.hinge',
        'boxes.example.com             Locks      <none>      alpha        false     false     .spec.lid.lock',
        'crontabs.stable.example.com   Replicas   istio       alpha        false     false     .spec.replicas',
        'crontabs.stable.example.com   Foo        istio       deprecated   true      true      .spec.foo',
        'crontabs.stable.example.com   Qux        istio       beta         true      true      .spec.foo.qux',
        '',
      ].join('\n'),
    );
  });

  test('narrows the list by CRD, group, stage and state', async () => {
    const names = async (words: string) => (await gates(`${words} -o name`)).out.split('\n').slice(0, -1);
    const of = (crd: string, ...list: string[]) => list.map((name) => `${crd}/${name}`);
    const all = of('boxes.example.com', 'Lids', 'Locks');
    expect(await names('boxes.example.com')).toEqual(all);
    expect(await names('list bx Box')).toEqual(all);
    expect(await names('--api-group example.com')).toEqual(all);
    expect(await names('--stage=beta,deprecated')).toEqual(of('crontabs.stable.example.com', 'Foo', 'Qux'));
    expect(await names('--state disabled --api-group=stable.example.com')).toEqual(
      of('crontabs.stable.example.com', 'Replicas'),
    );
    expect(await gates('--stage beta --state disabled')).toEqual({
      code: 0,
      out: '',
      err: 'No feature gates found\n',
    });
  });

  test('prints more, or for other programs', async () => {
    const wide = await gates('-o wide --no-headers box crontab');
    expect(wide.out.split('\n').map((line) => line.split(/ {3,}/).slice(7))).toEqual([
      ['<none>', 'Lids', '<none>'],
      ['true', 'Lids', '<none>'],
      ['<none>', 'Replicas', '<none>'],
      ['<none>', '<none>', 'use .spec.image'],
      ['<none>', '<none>', '<none>'],
      [],
    ]);
    const items = [
      {
        crd: 'boxes.example.com',
        name: 'Lids',
        preRelease: 'alpha',
        default: false,
        enabled: false,
        disabledBy: 'Lids',
        fieldPaths: ['.spec.lid', '.spec.hinge'],
      },
      {
        crd: 'boxes.example.com',
        name: 'Locks',
        preRelease: 'alpha',
        default: false,
        set: true,
        enabled: false,
        disabledBy: 'Lids',
        fieldPaths: ['.spec.lid.lock'],
      },
    ];
    expect(JSON.parse((await gates('-o json boxes')).out)).toEqual({ items });
    expect(load((await gates('--output=yaml boxes')).out)).toEqual({ items });
    expect(JSON.parse((await gates('-o json --stage stable')).out)).toEqual({ items: [] });
  });

  test('turns a gate, for an admin whom the owner of the CRD does not overrule', async () => {
    expect(await gates('enable crontabs.stable.example.com Replicas --dry-run=server')).toEqual({
      code: 0,
      out: 'crontabs.stable.example.com/Replicas enabled (server dry run)\n0 objects hold a field of this gate\n',
      err: '',
    });
    expect((await gates('--state enabled -o name crontab')).out).not.toContain('Replicas');
    expect((await gates('enable crontab Replicas')).out).toBe(
      'crontabs.stable.example.com/Replicas enabled\n',
    );
    expect((await gates('--state enabled -o name crontab')).out).toContain('Replicas');
    const { metadata } = (await (await server.fetch(crdPath)).json()) as KubeObject;
    const [entry] = ((metadata as JsonObject)['managedFields'] as JsonObject[]).filter(
      ({ manager }) => manager === 'kubectl-feature-gates',
    );
    expect(JSON.stringify(entry?.['fieldsV1'])).toBe(
      '{"f:spec":{"f:customFeatureGates":{"f:featureGates":{"k:{\\"name\\":\\"Replicas\\"}":{"f:enabled":{}}}}}}',
    );
    expect((await gates('disable crontab Replicas')).out).toBe(
      'crontabs.stable.example.com/Replicas disabled\n',
    );
    expect((await gates('--state disabled -o name crontab')).out).toContain('Replicas');
  });

  test('passes on what the server has to say', async () => {
    expect(await gates('enable boxes Locks')).toEqual({
      code: 0,
      out: 'boxes.example.com/Locks enabled\n',
      err:
        'Warning: spec.customFeatureGates.featureGates[1].enabled: true has no effect while feature gate "Lids", ' +
        'which it is nested in, is disabled\n',
    });
  });

  test('says what is wrong, and fails', async () => {
    const refusal = async (words: string) => {
      const { code, out, err } = await gates(words);
      return { failed: code !== 0, out, err };
    };
    expect(await refusal('enable crontabs Nothing')).toEqual({
      failed: true,
      out: '',
      err: 'error: crontabs.stable.example.com has no feature gate Nothing: it has Replicas, Foo, Qux\n',
    });
    expect(await refusal('nothings')).toEqual({
      failed: true,
      out: '',
      err: 'error: there is no CustomResourceDefinition nothings\n',
    });
    expect((await refusal('--stage gamma')).err).toBe(
      'error: there is no stage gamma: it is one of alpha, beta, stable, deprecated\n',
    );
    expect((await refusal('-o xml')).err).toContain(
      "error: option '-o, --output <format>' argument 'xml' is invalid",
    );
    expect((await refusal('--context nowhere')).err).toContain('context "nowhere" does not exist');
  });

  test('talks to the server that its flags name', async () => {
    await using other = await startServer({ crds: [boxes], listen });
    const { out } = await gates(`--kubeconfig ${other.kubeconfigPath} -o name`);
    expect(out).toBe('boxes.example.com/Lids\nboxes.example.com/Locks\n');
  });

  test('fails with a message if kubectl is missing', () => {
    const { status, stderr } = spawnSync(process.execPath, [`${bin}/kubectl-feature_gates`], {
      env: { PATH: '/nowhere' },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'error: kubectl is not on the PATH\n' });
  });

  test('kubectl explains the API', async () => {
    const { code, out } = await kubectl.run('explain crd.spec.customFeatureGates.featureGates');
    expect(code).toBe(0);
    for (const field of [
      'default',
      'enabled',
      'fieldDeprecationWarning',
      'fieldPaths',
      'name',
      'preRelease',
    ]) {
      expect(out).toMatch(new RegExp(`^ {2}${field}\\t`, 'm'));
    }
    expect((await kubectl.run('explain crd.spec.customFeatureGates')).out).toMatch(/component\t<string>/);
  });

  test('flags about the server may come first; reset leaves the gate to its default; a dry run lists who holds the field', async () => {
    const cron = (name: string, spec: JsonObject) => ({
      apiVersion: 'stable.example.com/v1',
      kind: 'CronTab',
      metadata: { name },
      spec,
    });
    await using own = await startServer({
      crds: [crons],
      listen,
      objects: [cron('a', { replicas: 1 }), cron('b', {})],
    });
    using other = new Kubectl(own.kubeconfigPath);
    const run = async (words: string) => (await other.run(`feature-gates ${words}`, [], { env })).out;
    const config = `--kubeconfig ${own.kubeconfigPath}`;
    expect(await run(`${config} enable crontabs Replicas --dry-run`)).toBe(
      'crontabs.stable.example.com/Replicas enabled (server dry run)\n' +
        '1 object holds a field of this gate:\n  default/a: .spec.replicas\n',
    );
    const set = async () => {
      const { spec } = JSON.parse(await (await own.fetch(crdPath)).text());
      return spec.customFeatureGates.featureGates[0].enabled;
    };
    expect(await set()).toBe(undefined);
    await run(`${config} enable crontabs Replicas`);
    expect(await set()).toBe(true);
    expect(await run('reset crontabs Replicas')).toBe('crontabs.stable.example.com/Replicas reset\n');
    expect(await set()).toBe(undefined);
    expect(await run('reset crontabs Replicas')).toBe('crontabs.stable.example.com/Replicas reset\n');
  });
});
