import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { decodeYamlDocuments, encodeYaml } from '../../src/codec/index.ts';
import { type LoadedObject, LoadError, loadFile } from '../../src/manifests/index.ts';
import {
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  nameOf,
  namespaceOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { findCorpus } from '../corpus.test-support.ts';
import { buildIfMissing } from '../fixtures/ilk-process.ts';

const corpus = findCorpus();
const root = mkdtempSync(join(tmpdir(), 'ilk-round-trip-'));
afterAll(() => rmSync(root, { recursive: true }));

function ilk(args: readonly string[]): string {
  const bin = fileURLToPath(new URL('../../bin/ilk', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const errors = stderr.split('\n').filter((line) => !line.includes(': warning: '));
  if (status !== 0) throw new Error(`ilk ${args[0]}: ${errors.join('\n')}`);
  return stdout;
}

/** Everything of the corpus that can be read, one CRD of each name. */
async function readCorpus(folder: string): Promise<{ crds: KubeObject[]; samples: KubeObject[] }> {
  const crds = new Map<string, KubeObject>();
  const samples: KubeObject[] = [];
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && /\.ya?ml$/.test(one.name))
    .map((one) => join(one.parentPath, one.name))
    .sort();
  for (const { object } of (await Promise.all(files.map(readable))).flat()) {
    if (ownString(object, 'kind') !== 'CustomResourceDefinition') samples.push(object);
    else if (!crds.has(nameOf(object))) crds.set(nameOf(object), object);
  }
  return { crds: [...crds.values()].filter((_, index) => index % part === 0), samples };
}

/** Each third CRD by default, all of them with ILK_CORPUS_ROUND_TRIP=all, as CI does. */
const part = process.env['ILK_CORPUS_ROUND_TRIP'] === 'all' ? 1 : 3;

function readable(file: string): Promise<LoadedObject[]> {
  return loadFile(file).catch((error: unknown) => {
    if (error instanceof LoadError) return [];
    throw error;
  });
}

/** Every state that a gate can be in. */
const states: readonly JsonObject[] = [{}, { enabled: true }, { enabled: false }].flatMap((set) => [
  { preRelease: 'alpha', ...set },
  { preRelease: 'beta', ...set },
  { preRelease: 'beta', default: false, ...set },
  { preRelease: 'stable', ...set },
  { preRelease: 'deprecated', default: true, ...set },
  { preRelease: 'deprecated', default: false, ...set },
]);

/** Gates on the optional fields of `.spec`, one for each, in all states by turns. */
function gatesOf(crd: KubeObject, turn: number): JsonObject[] {
  const versions = (ownList(ownObject(crd, 'spec') ?? {}, 'versions') ?? []).filter(isObject);
  const stored = versions.find((version) => own(version, 'storage') === true) ?? {};
  const schema = ownObject(ownObject(stored, 'schema') ?? {}, 'openAPIV3Schema') ?? {};
  const spec = ownObject(ownObject(schema, 'properties') ?? {}, 'spec') ?? {};
  const required = new Set(ownList(spec, 'required') ?? []);
  const fields = Object.keys(ownObject(spec, 'properties') ?? {}).filter((field) => !required.has(field));
  return fields.map((field, index) => ({
    name: `Gate${index}`,
    fieldPaths: [`.spec.${field}`],
    ...states[(turn + index) % states.length],
  }));
}

function withGates(crd: KubeObject, featureGates: JsonObject[]): KubeObject {
  if (featureGates.length === 0) return crd;
  return { ...crd, spec: { ...ownObject(crd, 'spec'), customFeatureGates: { featureGates } } };
}

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Fills a data directory while all gates are on, and brings these to their states then. Gives how many objects there are. */
async function fill(dataDir: string, { crds, samples }: Awaited<ReturnType<typeof readCorpus>>) {
  await using server = await startServer({
    storage: { kind: 'sqlite', dataDir },
    listen: false,
    disableAdmissionPlugins: ['NamespaceLifecycle'],
    disableControllers: ['garbage-collector', 'namespace'],
  });
  const call = async (method: string, path: string, body: JsonObject, type = 'application/json') => {
    const answer = await server.fetch(path, {
      method,
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    });
    return answer.ok;
  };
  const taken: KubeObject[] = [];
  for (const crd of crds) if (await call('POST', crdsPath, crd)) taken.push(crd);
  const namespaces = new Set(samples.map(namespaceOf).filter((name) => name !== ''));
  for (const name of namespaces) await call('POST', '/api/v1/namespaces', { metadata: { name } });
  let created = 0;
  for (const sample of samples) {
    const [group = '', version = ''] = (ownString(sample, 'apiVersion') ?? '').split('/');
    const type = taken.find((crd) => isOfKind(sample, crd, group));
    const spec = ownObject(type ?? {}, 'spec') ?? {};
    const plural = ownString(ownObject(spec, 'names') ?? {}, 'plural') ?? '';
    const folder = own(spec, 'scope') === 'Cluster' ? '' : `/namespaces/${namespaceOf(sample) || 'default'}`;
    const path = `/apis/${group}/${version}${folder}/${plural}`;
    if (type === undefined || !(await call('POST', path, sample))) continue;
    created += 1;
    // What lost its required fields to the conversion could be created in no version.
    const stored = `/apis/${group}/${storageVersionOf(spec)}${folder}/${plural}`;
    const present = await server.fetch(`${stored}/${nameOf(sample)}`);
    const again = await server.fetch(`${stored}?dryRun=All`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: withoutResourceVersion(await present.text()),
    });
    if (again.status === 422) await server.fetch(`${stored}/${nameOf(sample)}`, { method: 'DELETE' });
  }
  for (const [turn, crd] of taken.entries()) {
    const body = { spec: withGates(crd, gatesOf(crd, turn))['spec'] ?? {} };
    await call('PATCH', `${crdsPath}/${nameOf(crd)}`, body, 'application/merge-patch+json');
  }
  return created;
}

function storageVersionOf(spec: JsonObject): string {
  const versions = (ownList(spec, 'versions') ?? []).filter(isObject);
  return ownString(versions.find((version) => own(version, 'storage') === true) ?? {}, 'name') ?? '';
}

const withoutResourceVersion = (json: string) => json.replace(/"resourceVersion":"\d+",?/, '');

function isOfKind(object: KubeObject, crd: KubeObject, group: string): boolean {
  const spec = ownObject(crd, 'spec') ?? {};
  const kind = ownString(ownObject(spec, 'names') ?? {}, 'kind');
  return own(spec, 'group') === group && kind === ownString(object, 'kind');
}

/** `kind`, `name:` and `namespace:` of an object, which is what tells it from others. */
function identityOf(text: string): string {
  const field = (pattern: RegExp) => pattern.exec(`\n${text}`)?.[1] ?? '';
  return [
    field(/\nkind: (.*)\n/),
    field(/\nmetadata:\n(?: {2}.*\n)*? {2}namespace: (.*)\n/),
    field(/\nmetadata:\n(?: {2}.*\n)*? {2}name: (.*)\n/),
  ].join(' ');
}

const objectsIn = (exported: string) => exported.split(/^---\n/m).filter((text) => text !== '');

/**
 * Without what a server has by itself, without when it took up a CRD, and without its count of frozen fields: a server
 * counts them when it runs.
 */
function comparable(exported: string, ownObjects: ReadonlySet<string>): string[] {
  return objectsIn(exported)
    .filter((text) => !ownObjects.has(identityOf(text)))
    .map((text) => (text.includes('\nkind: CustomResourceDefinition\n') ? withoutConditions(text) : text));
}

function withoutConditions(crd: string): string {
  const [document] = decodeYamlDocuments(Buffer.from(crd));
  if (!isObject(document?.value)) return crd;
  const metadata = metadataOf(document.value);
  const entries = (ownList(metadata, 'managedFields') ?? []).filter(isObject);
  metadata['managedFields'] = entries.filter((entry) => own(entry, 'subresource') !== 'status');
  const status = ownObject(document.value, 'status') ?? {};
  const conditions = (ownList(status, 'conditions') ?? []).filter(isObject);
  for (const one of conditions) delete one['lastTransitionTime'];
  status['conditions'] = conditions.filter((one) => own(one, 'type') !== 'FieldsFrozen');
  return encodeYaml(document.value).toString();
}

/** The lines of an object that differ, without the kilobytes that do not. */
function differenceOf(text: string, before: readonly string[]): string[] {
  const uid = /\n {2}uid: .*\n/.exec(text)?.[0] ?? '\n';
  const lines = (before.find((one) => one.includes(uid)) ?? '').split('\n');
  return text
    .split('\n')
    .flatMap((line, index) => (line === lines[index] ? [] : [`${lines[index]} -> ${line}`]));
}

/** A server with nothing but what it makes by itself has a data directory only once something was imported. */
function namespaceFile(): string {
  const file = join(root, 'namespace.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: of-its-own}\n');
  return file;
}

test.skipIf(corpus === undefined)(
  'export, import, export: the same bytes, for every object of the corpus and gates in every state (skipped where the corpus is absent)',
  { timeout: 300_000 },
  async () => {
    buildIfMissing();
    const [first, second] = [join(root, 'first'), join(root, 'second')];
    expect(await fill(first, await readCorpus(corpus ?? ''))).toBeGreaterThan(100 / part);
    const exported = ilk(['export', '--data-dir', first]);
    const file = join(root, 'everything.yaml');
    writeFileSync(file, exported);
    ilk(['import', '--data-dir', second, file]);
    const empty = join(root, 'empty');
    ilk(['import', '--data-dir', empty, namespaceFile()]);
    const ownObjects = new Set(objectsIn(ilk(['export', '--data-dir', empty])).map(identityOf));
    ownObjects.delete('Namespace  of-its-own');
    const before = comparable(exported, ownObjects);
    const after = comparable(ilk(['export', '--data-dir', second]), ownObjects);
    expect(before.filter((text) => text.includes('customFeatureGates:')).length).toBeGreaterThan(100 / part);
    const known = new Set(before);
    expect(after.filter((text) => !known.has(text)).map((text) => differenceOf(text, before))).toEqual([]);
    expect(after).toHaveLength(before.length);
  },
);
