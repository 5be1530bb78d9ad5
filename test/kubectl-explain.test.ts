import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { Kubectl, kubectlMinor } from './fixtures/kubectl.ts';

const minor = kubectlMinor ?? 0;
const text = { type: 'string' };

function version(name: string, spec: JsonObject): JsonObject {
  const openAPIV3Schema = {
    type: 'object',
    description: 'A boat floats.',
    properties: { spec: { type: 'object', description: 'What it shall be.', ...spec } },
  };
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema } };
}

const crd = (plural: string, kind: string, versions: JsonObject[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, categories: ['fleet'] },
    versions,
  },
});

const boats = crd('boats', 'Boat', [
  version('v1', {
    required: ['name'],
    properties: {
      name: { ...text, description: 'How it is called.' },
      colors: { type: 'array', items: text },
      rig: { type: 'string', enum: ['sloop', 'ketch'] },
      crew: {
        type: 'object',
        properties: { captain: text, sailors: { 'x-kubernetes-int-or-string': true } },
      },
      cargo: { type: 'object', additionalProperties: { type: 'integer' } },
    },
  }),
  version('v1alpha1', { properties: { title: text } }),
]);
const rafts = crd('rafts', 'Raft', [version('v1', { properties: { logs: { type: 'integer' } } })]);

describe.skipIf(minor < 27)('kubectl reads the schemas (skipped without a kubectl of 1.27 or later)', () => {
  let server: IlkServer;
  let kubectl: Kubectl;
  const files = mkdtempSync(join(tmpdir(), 'ilk-explain-'));
  beforeAll(async () => {
    server = await startServer({ crds: [boats, rafts], listen: { host: '127.0.0.1', port: 0, tls: true } });
    kubectl = new Kubectl(server.kubeconfigPath);
  });
  afterAll(async () => {
    kubectl[Symbol.dispose]();
    rmSync(files, { recursive: true });
    await server.close();
  });

  const said = async (words: string) => {
    const { code, out, err } = await kubectl.run(words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  };

  test('explain a kind', async () => {
    const shown = await said('explain boats');
    expect(shown).toMatch(/^GROUP: +example\.com\nKIND: +Boat\nVERSION: +v1\n/);
    expect(shown).toContain('A boat floats.');
    for (const field of [
      'apiVersion\t<string>',
      'kind\t<string>',
      'metadata\t<ObjectMeta>',
      'spec\t<Object>',
    ])
      expect(shown).toContain(field);
  });

  test('explain a field: what it is, whether it is required, what it may be', async () => {
    expect(await said('explain boat.spec.name')).toMatch(/FIELD: name <string>[\s\S]*How it is called\./);
    expect(await said('explain boat.spec')).toContain('name\t<string> -required-');
    expect(await said('explain boat.spec.rig')).toMatch(/FIELD: rig <string>\nENUM:\n +sloop\n +ketch/);
    expect(await said('explain boat.spec.cargo')).toContain('FIELD: cargo <map[string]integer>');
    const { code, err } = await kubectl.run('explain boat.spec.anchor');
    expect([code, err]).toEqual([1, 'error: field "anchor" does not exist\n']);
  });

  test('explain --recursive', async () => {
    const shown = await said('explain boats --recursive');
    const [, spec = ''] = shown.split('  spec\t<Object>\n');
    expect(spec.trimEnd().split('\n')).toEqual([
      '    cargo\t<map[string]integer>',
      '    colors\t<[]string>',
      '    crew\t<Object>',
      '      captain\t<string>',
      '      sailors\t<Object>',
      '    name\t<string> -required-',
      '    rig\t<string>',
      '    enum: sloop, ketch',
    ]);
    expect(shown).toContain('    ownerReferences\t<[]OwnerReference>\n');
  });

  test('explain --api-version', async () => {
    const shown = await said('explain boats.spec --api-version=example.com/v1alpha1');
    expect(shown).toContain('VERSION:    v1alpha1');
    expect(shown).toContain('title\t<string>');
    expect(shown).not.toContain('crew');
  });

  test('explain --output=plaintext-openapiv2 says it from the old document', async () => {
    const shown = await said('explain boats.spec.crew --output=plaintext-openapiv2');
    expect(shown).toMatch(/^KIND: +Boat\nVERSION: +example\.com\/v1\n\nRESOURCE: crew <Object>/);
    expect(shown).toMatch(/FIELDS:\n +captain\t<string>/);
  });

  test('explain kinds of the server', async () => {
    expect(await said('explain namespaces.spec.finalizers')).toContain('FIELD: finalizers <[]string>');
    expect(await said('explain crd.spec.versions.schema')).toContain('openAPIV3Schema\t<JSONSchemaProps>');
    expect(await said('explain lease.spec.renewTime')).toContain('FIELD: renewTime <string>');
  });

  // Of all kinds `openapi.test.ts` says that their models are there: a kubectl for each would take half a minute.
  test('explain --recursive kinds of admission, flow control and reviews', async () => {
    const shown = await Promise.all(
      (
        [
          ['validatingadmissionpolicies', 'validations\t<[]Validation>'],
          ['mutatingwebhookconfigurations', 'clientConfig\t<WebhookClientConfig> -required-'],
          ['flowschemas', 'distinguisherMethod\t<FlowDistinguisherMethod>'],
          ['subjectaccessreviews', 'allowed\t<boolean> -required-'],
          ['statefulsets', 'volumeClaimTemplates\t<[]PersistentVolumeClaim>\n      apiVersion\t<string>'],
        ] as const
      ).map(async ([name, field]) => [name, field, await said(`explain ${name} --recursive`)] as const),
    );
    for (const [name, field, text] of shown)
      expect([name, text]).toEqual([name, expect.stringContaining(field)]);
  });

  test('get a category', async () => {
    for (const [plural, kind] of [
      ['boats', 'Boat'],
      ['rafts', 'Raft'],
    ]) {
      const spec = kind === 'Boat' ? { name: 'x' } : {};
      const object = { apiVersion: 'example.com/v1', kind, metadata: { name: 'one' }, spec };
      const headers = { 'content-type': 'application/json' };
      const path = `/apis/example.com/v1/namespaces/default/${plural}`;
      expect(
        (await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(object) })).status,
      ).toBe(201);
    }
    expect(await said('get fleet -o name')).toBe('boat.example.com/one\nraft.example.com/one\n');
  });

  const bad = {
    apiVersion: 'example.com/v1',
    kind: 'Boat',
    metadata: { name: 'bad' },
    spec: { name: 'x', sails: 3 },
  };
  const modes: [mode: string, code: number, said: RegExp][] = [
    ['true', 1, /strict decoding error: unknown field "spec\.sails"/],
    ['strict', 1, /strict decoding error: unknown field "spec\.sails"/],
    ['warn', 0, /^Warning: unknown field "spec\.sails"/],
    ['ignore', 0, /^$/],
  ];
  test.each(modes)('create and apply --validate=%s', async (mode, code, pattern) => {
    const file = join(files, 'bad.json');
    writeFileSync(file, JSON.stringify(bad));
    for (const verb of ['create', 'apply']) {
      const answer = await kubectl.run(`${verb} --dry-run=server --validate=${mode} -f ${file}`);
      expect([answer.code, answer.err]).toEqual([code, expect.stringMatching(pattern)]);
    }
  });
});
