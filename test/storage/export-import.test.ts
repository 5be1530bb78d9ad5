import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEncryptionConfiguration } from '../../src/encryption/index.ts';
import { ownObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';
import { widgetCrd } from '../fixtures/widgets.ts';

const root = mkdtempSync(join(tmpdir(), 'ilk-export-'));
const live = join(root, 'live');
const widgets = '/apis/example.com/v1/namespaces/workshop/widgets';
let server: IlkServer;

function ilk(args: readonly string[], input = '') {
  const bin = fileURLToPath(new URL('../../bin/ilk', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

async function call(to: IlkServer, method: string, path: string, body?: unknown) {
  const init =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await to.fetch(path, { method, ...init });
  return JSON.parse(await response.text());
}

const widget = (name: string, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'workshop', ...more },
  spec: { color: 'blue', size: 3 },
});

beforeAll(async () => {
  buildIfMissing();
  server = await startServer({
    crds: [widgetCrd],
    storage: { kind: 'sqlite', dataDir: live },
    listen: false,
  });
  await call(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'workshop' } });
  const { metadata } = await call(server, 'POST', widgets, widget('b-owner'));
  const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'b-owner', uid: metadata.uid };
  const owned = await call(server, 'POST', widgets, widget('a-owned', { ownerReferences: [owner] }));
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  await call(server, 'PUT', `${widgets}/a-owned/status`, { ...owned, status });
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

test('encrypted objects are exported with the configuration of the server, and refused without', async () => {
  const [dataDir, file] = [join(root, 'encrypted'), join(root, 'encryption.yaml')];
  const key = { name: 'one', secret: Buffer.alloc(32, 'a').toString('base64') };
  const configuration = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['*.*'], providers: [{ aesgcm: { keys: [key] } }] }],
  });
  writeFileSync(file, configuration);
  const encryption = readEncryptionConfiguration(configuration);
  const encrypted = await startServer({ encryption, storage: { kind: 'sqlite', dataDir }, listen: false });
  await encrypted.close();
  const flags = ['export', '--data-dir', dataDir];
  expect(kindsIn(ilk([...flags, '--encryption-provider-config', file]).stdout)).toContain('Namespace');
  const { status, stdout, stderr } = ilk(flags);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /unable to transform key "\/registry\/[^"]*": identity transformer tried to read encrypted data/,
  );
});

/** The kinds of the objects in exported manifests, in order. */
function kindsIn(manifests: string): string[] {
  return [...manifests.matchAll(/^kind: (\w+)$/gm)].map(([, kind = '']) => kind);
}

/** What an import says that took every object. */
function importedAll(manifests: string): string {
  const { length } = kindsIn(manifests);
  return `ilk: imported ${length} of ${length} objects\n`;
}

test('the objects of a running server are exported and imported elsewhere, with status and owners', async () => {
  const exported = ilk(['export', '--data-dir', live, '--skip', 'leases.coordination.k8s.io']);
  expect(exported).toMatchObject({ status: 0, stderr: '' });
  // The roles that a server creates at its start are exported like all others: they may have been changed.
  expect(kindsIn(exported.stdout)).toContain('ClusterRole');
  expect(kindsIn(exported.stdout).filter((kind) => !kind.startsWith('ClusterRole'))).toEqual([
    'CustomResourceDefinition',
    ...Array.from({ length: 5 }, () => 'Namespace'),
    'PriorityClass',
    'PriorityClass',
    'Widget',
    'Widget',
  ]);

  const copy = join(root, 'imported');
  const imported = ilk(['import', '--data-dir', copy, '-'], exported.stdout);
  expect(imported).toMatchObject({ status: 0, stderr: importedAll(exported.stdout) });
  // With garbage collection: the owned one stays only where its owner is known by its uid.
  await using other = await startServer({ storage: { kind: 'sqlite', dataDir: copy }, listen: false });
  const owner = await call(other, 'GET', `${widgets}/b-owner`);
  const owned = await call(other, 'GET', `${widgets}/a-owned`);
  expect(owned).toMatchObject({
    metadata: { ownerReferences: [{ name: 'b-owner', uid: owner.metadata.uid }] },
    spec: { color: 'blue', size: 3 },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  expect(owner).toEqual({
    ...(await call(server, 'GET', `${widgets}/b-owner`)),
    metadata: { ...owner.metadata, generation: 1 },
  });
});

test('what is there already keeps its uid, and references to owners are brought to it', async () => {
  const { stdout } = ilk(['export', '--data-dir', live]);
  const copy = join(root, 'replaced');
  const crdAndOwner = `${JSON.stringify(widgetCrd)}\n---\n${JSON.stringify({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'workshop' },
  })}\n---\n${JSON.stringify(widget('b-owner'))}`;
  expect(ilk(['import', '--data-dir', copy], crdAndOwner).status).toBe(0);
  const { metadata } = await call(server, 'GET', `${widgets}/a-owned`);
  // A copy under another name is another object.
  const twin = JSON.stringify(widget('c-twin', { uid: metadata.uid }));
  expect(ilk(['import', '--data-dir', copy], `${stdout}---\n${twin}`)).toMatchObject({
    status: 0,
    stderr: importedAll(`${stdout}kind: Twin\n`),
  });
  await using other = await startServer({ storage: { kind: 'sqlite', dataDir: copy }, listen: false });
  const owned = await call(other, 'GET', `${widgets}/a-owned`);
  const owner = await call(other, 'GET', `${widgets}/b-owner`);
  expect(owned.metadata.ownerReferences[0].uid).toBe(owner.metadata.uid);
  expect(owner.metadata.uid).not.toBe(metadata.ownerReferences[0].uid);
  expect(owned.metadata.uid).toBe(metadata.uid);
  expect((await call(other, 'GET', `${widgets}/c-twin`)).metadata.uid).not.toBe(metadata.uid);
});

test('disabled gates remove no imported fields, and unknown fields cause warnings', async () => {
  const gates = (enabled: boolean) => ({
    featureGates: [{ name: 'Size', preRelease: 'alpha', fieldPaths: ['.spec.size'], enabled }],
  });
  const dataDir = join(root, 'gated');
  const crd = { ...widgetCrd, spec: { ...ownObject(widgetCrd, 'spec'), customFeatureGates: gates(true) } };
  {
    await using gated = await startServer({
      crds: [crd],
      storage: { kind: 'sqlite', dataDir },
      listen: false,
    });
    await call(gated, 'POST', widgets.replace('workshop', 'default'), {
      ...widget('a'),
      metadata: { name: 'a' },
    });
    const patch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
    await gated.fetch(path, {
      ...patch,
      body: JSON.stringify({ spec: { customFeatureGates: gates(false) } }),
    });
  }
  const { stdout } = ilk(['export', '--data-dir', dataDir]);
  expect(stdout).toContain('\n  size: 3\n');
  const unknown = stdout.replace('\n  size: 3\n', '\n  size: 3\n  sise: 4\n');
  const copy = join(root, 'gated-copy');
  const imported = ilk(['import', '--data-dir', copy], unknown);
  const line = unknown.slice(0, unknown.lastIndexOf('---\n')).split('\n').length + 1;
  expect(imported).toMatchObject({
    status: 0,
    stderr: `ilk: -:${line}: Widget a: warning: unknown field "spec.sise"\n${importedAll(unknown)}`,
  });
  expect(ilk(['export', '--data-dir', copy]).stdout).toContain('\n  size: 3\n');
});

test('a status is left out where that is asked for; what is there is replaced', async () => {
  const copy = join(root, 'twice');
  const { stdout } = ilk(['export', '--data-dir', live]);
  expect(ilk(['import', '--no-status', '--data-dir', copy], stdout).status).toBe(0);
  const changed = stdout.replaceAll('size: 3', 'size: 4');
  expect(ilk(['import', '--no-status', '--data-dir', copy], changed).stderr).toBe(importedAll(changed));
  await using other = await startServer({ storage: { kind: 'sqlite', dataDir: copy }, listen: false });
  const { spec, status } = await call(other, 'GET', `${widgets}/a-owned`);
  expect({ spec, status }).toEqual({ spec: { color: 'blue', size: 4 }, status: undefined });
});

test('an import says which objects it could not take, and where they stand', () => {
  const file = join(root, 'bad.yaml');
  const lines = (color: string) =>
    `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${color}}\nspec: {color: ${color}}\n`;
  writeFileSync(file, `${JSON.stringify(widgetCrd)}\n---\n${lines('blue')}---\n${lines('mauve')}`);
  const { status, stderr } = ilk(['import', '--data-dir', join(root, 'bad'), file]);
  expect(status).toBe(1);
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    `ilk: ${file}:8: Widget mauve: Widget.example.com "mauve" is invalid: spec.color: Unsupported value: "mauve": ` +
      'supported values: "blue", "green", "red"',
    'ilk: imported 2 of 3 objects',
  ]);
  const busy = ilk(['import', '--data-dir', live], lines('blue'));
  expect(busy).toMatchObject({
    status: 1,
    stderr: `ilk: the data directory ${live} is in use by another Ilk\n`,
  });
});

test('a snapshot of a running server is a data directory of its own', async () => {
  const target = join(root, 'snapshot');
  expect(ilk(['snapshot', '--data-dir', live, target])).toMatchObject({
    status: 0,
    stderr: `ilk: copied ${live} to ${target}\n`,
  });
  await using other = await startServer({ storage: { kind: 'sqlite', dataDir: target }, listen: false });
  const list = await call(other, 'GET', widgets);
  expect(list).toEqual(await call(server, 'GET', widgets));
  expect(ilk(['snapshot', '--data-dir', live, target]).stderr).toBe(
    `ilk: ${target} has a database already\n`,
  );
});

test('an import of an object without a kind, or of an unknown kind, is refused at once', () => {
  const text = 'metadata: {name: a}\n---\napiVersion: a.example.com/v1\nkind: Gone\nmetadata: {name: b}\n';
  const startMs = performance.now();
  expect(ilk(['import', '--data-dir', join(root, 'kindless')], text).stderr).toBe(
    [
      'ilk: -:1: a: apiVersion must be set',
      'ilk: -:3: Gone b: no matches for kind "Gone" in version "a.example.com/v1"',
      'ilk: imported 0 of 2 objects',
      'ilk: not everything could be imported',
      '',
    ].join('\n'),
  );
  // It once waited for the kind, for more than 40 s.
  expect(performance.now() - startMs).toBeLessThan(30_000);
});
