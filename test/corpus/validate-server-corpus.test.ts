import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../src/offline/index.ts';
import { validate } from '../../src/cli/validate/validate.ts';
import { type LoadedObject, LoadError, loadFile } from '../../src/manifests/index.ts';
import { type KubeObject, nameOf, namespaceOf, ownString } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';
import { findCorpus } from '../corpus.test-support.ts';

/**
 * Real definitions and samples of theirs, from a folder that is not part of the repository: `shared/crds` in a folder
 * above this one, or `$ILK_CORPUS`. Without it these tests are skipped.
 */
const corpus = findCorpus();
const projects =
  corpus === undefined
    ? []
    : readdirSync(corpus, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));

interface Project {
  /** Those of one name have been given once: a project may have a full and a small form of them. */
  readonly crds: readonly LoadedObject[];
  readonly samples: readonly LoadedObject[];
  readonly paths: readonly string[];
}

async function projectIn(folder: string): Promise<Project> {
  const names = new Set<string>();
  const crds: LoadedObject[] = [];
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && /\.ya?ml$/.test(one.name))
    .map((one) => join(one.parentPath, one.name))
    .sort();
  for (const file of files.filter((path) => !/\/(samples|tests|invalid)[^/]*\//.test(path))) {
    const loaded = await loadFile(file);
    if (loaded.some(({ object }) => names.has(nameOf(object)))) continue;
    for (const { object } of loaded) names.add(nameOf(object));
    crds.push(...loaded);
  }
  const sampleFolders = [
    ...new Set(files.flatMap((path) => /^.*\/(?:samples|invalid)[^/]*(?=\/)/.exec(path)?.[0] ?? [])),
  ];
  const samples: LoadedObject[] = [];
  for (const file of files.filter((path) => sampleFolders.some((one) => path.startsWith(`${one}/`)))) {
    samples.push(...(await loadReadable(file)));
  }
  return { crds, samples, paths: [...new Set(crds.map(({ file }) => file)), ...sampleFolders] };
}

/** Two samples are no YAML for our parser, which is said offline, and cannot be sent to a server. */
async function loadReadable(file: string): Promise<LoadedObject[]> {
  try {
    return await loadFile(file);
  } catch (error) {
    if (error instanceof LoadError) return [];
    throw error;
  }
}

/** What is said of every object, offline. */
async function offline({ paths }: Project): Promise<Map<string, CheckResult>> {
  const checked = await validate({
    paths,
    crds: [],
    old: [],
    strict: false,
    ignoreMissingSchemas: false,
    skip: new Set(),
    featureGates: undefined,
    onProgress: () => {},
  });
  return new Map(checked.map((one) => [`${one.file}:${one.line}`, one]));
}

const keyOf = ({ file, line }: LoadedObject) => `${file}:${line}`;

/** Every kind that is served, by version and name, with where its objects are. */
async function placesIn(api: Api): Promise<Map<string, (namespace: string) => string>> {
  const places = new Map<string, (namespace: string) => string>();
  const { body } = await api.get('/apis');
  const roots = body.groups.flatMap((group: { versions: { groupVersion: string }[] }) => group.versions);
  for (const { groupVersion } of [...roots, { groupVersion: 'v1' }]) {
    const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
    for (const { name, kind, namespaced } of (await api.get(root)).body.resources) {
      if (name.includes('/')) continue;
      const place = (namespace: string) =>
        namespaced ? `${root}/namespaces/${namespace || 'default'}/${name}` : `${root}/${name}`;
      places.set(`${groupVersion} ${kind}`, place);
    }
  }
  return places;
}

/** What a server says of a write: nothing where it takes it. */
async function said(api: Api, path: string, object: KubeObject): Promise<string[]> {
  const { code, body } = await api.call('POST', path, object);
  if (code === 201) return [];
  const causes: { field?: string; message: string }[] = body.details?.causes ?? [];
  if (body.reason !== 'Invalid' || causes.length === 0) return [body.message];
  return causes.map(({ field = '', message }) => (field === '' ? message : `${field}: ${message}`));
}

function isEstablished(crd: { status?: { conditions?: { type: string; status: string }[] } }): boolean {
  return (
    crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false
  );
}

/** Nobody converts offline. */
const unasked = 'conversion webhook for ';

const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function serverOf({ crds }: Project, verdicts: Map<string, CheckResult>) {
  const api = Api.of(
    await startServer({
      listen: false,
      disableAdmissionPlugins: ['NamespaceLifecycle'],
      disableControllers: ['garbage-collector', 'namespace'],
    }),
  );
  for (const crd of crds) {
    const texts = await said(api, crdsPath, crd.object);
    expect([crd.file, texts]).toEqual([
      crd.file,
      verdicts.get(keyOf(crd))?.errors.map(({ message }) => message),
    ]);
  }
  for (const { object } of crds.filter((crd) => verdicts.get(keyOf(crd))?.verdict === 'valid')) {
    await api.settles(`${crdsPath}/${nameOf(object)}`, isEstablished);
  }
  return api;
}

describe.skipIf(corpus === undefined)(
  'offline and served, every definition and every sample (skipped without the corpus)',
  () => {
    let definitions = 0;
    let samples = 0;

    test.each(projects)('%s', async (name) => {
      const project = await projectIn(join(corpus ?? '', name));
      const verdicts = await offline(project);
      await using api = await serverOf(project, verdicts);
      const places = await placesIn(api);
      for (const sample of project.samples) {
        const { object } = sample;
        const verdict = verdicts.get(keyOf(sample));
        const place = places.get(`${ownString(object, 'apiVersion')} ${ownString(object, 'kind')}`);
        expect([keyOf(sample), verdict?.verdict === 'error']).toEqual([keyOf(sample), place === undefined]);
        if (place === undefined || verdict === undefined) continue;
        samples += 1;
        const texts = await said(api, place(namespaceOf(object)), object);
        if (texts.some((text) => text.endsWith('already exists') || text.startsWith(unasked))) continue;
        expect([keyOf(sample), texts]).toEqual([keyOf(sample), verdict.errors.map(({ message }) => message)]);
      }
      definitions += project.crds.length;
    });

    test('there are hundreds of them', () => {
      expect([definitions > 200, samples > 300]).toEqual([true, true]);
    });
  },
);
