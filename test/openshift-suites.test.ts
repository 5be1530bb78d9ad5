import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { clone, isObject, type JsonObject, type JsonValue, type KubeObject, own } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';

/**
 * The declarative test suites of openshift/api: objects with what must become of them or why they must be refused,
 * which upstream runs against kube-apiserver. They are in a folder that is not part of the repository, `shared/crds`
 * in a folder above this one, or `$ILK_CORPUS`; without it these tests are skipped.
 */
function findSuites(): string | undefined {
  const configured = process.env['ILK_CORPUS'];
  if (configured !== undefined) return join(configured, 'openshift-api');
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'crds', 'openshift-api');
    if (existsSync(candidate)) return candidate;
    if (folder === resolve(folder, '..')) return undefined;
  }
}

interface Case {
  readonly name: string;
  readonly initialCRDPatches?: readonly JsonObject[];
  readonly initial: string;
  readonly updated?: string;
  readonly expected?: string;
  readonly expectedError?: string;
  readonly expectedStatusError?: string;
}

interface Suite {
  readonly crdName: string;
  readonly tests: { readonly onCreate?: readonly Case[]; readonly onUpdate?: readonly Case[] };
}

/** Cases that end otherwise here, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'Should be able to create an aws resourcetag with spaces':
    'expects defaults of fields that are in the CRD of a gate that the corpus lacks',
  "Should be able to create an aws resourcetag with characters '_', '.', '/', '=', '+', '-', ':', '@'":
    'the same',
};

const folder = findSuites();
const files = folder === undefined ? [] : readdirSync(join(folder, 'tests'));

/**
 * A CRD of one gate holds what the gate adds, and sometimes refers to what others add: upstream puts them together.
 */
const completedBy: Readonly<Record<string, { readonly file: string; readonly part?: 'status' }>> = {
  'config_v1__authentications.config.openshift.io__ExternalOIDCExternalClaimsSourcing.yaml': {
    file: 'config_v1__authentications.config.openshift.io__ExternalOIDC.yaml',
    part: 'status',
  },
  'config_v1__authentications.config.openshift.io__ExternalOIDCWithUpstreamParity.yaml': {
    file: 'config_v1__authentications.config.openshift.io__ExternalOIDC.yaml',
    part: 'status',
  },
  'config_v1__clusterversions.config.openshift.io__ClusterUpdatePreflight.yaml': {
    file: 'config_v1__clusterversions.config.openshift.io__ClusterUpdateAcceptRisks.yaml',
  },
  'config_v1__clusterversions.config.openshift.io__ImageStreamImportMode.yaml': {
    file: 'config_v1__clusterversions.config.openshift.io__AAA_ungated.yaml',
  },
  'config_v1__clusterversions.config.openshift.io__SignatureStores.yaml': {
    file: 'config_v1__clusterversions.config.openshift.io__AAA_ungated.yaml',
  },
};

/** The schema of the first version, or that of one of its properties. */
function schemaOf(crd: JsonObject, property?: string): JsonObject {
  const { versions } = crd['spec'] as { versions: { schema: { openAPIV3Schema: JsonObject } }[] };
  const root = versions[0]?.schema.openAPIV3Schema ?? {};
  return property === undefined ? root : ((root['properties'] as JsonObject)[property] as JsonObject);
}

/** Adds to a schema what another one has besides: fields, and rules that are not the same. */
function complete(target: JsonObject, other: JsonObject): void {
  for (const [key, value] of Object.entries(other)) {
    const known = target[key];
    if (known === undefined) target[key] = value;
    else if (isObject(known) && isObject(value)) complete(known, value);
    else if (key === 'x-kubernetes-validations' && Array.isArray(known) && Array.isArray(value)) {
      const rules = new Set(known.map((rule) => (rule as JsonObject)['rule']));
      known.push(...value.filter((rule) => !rules.has((rule as JsonObject)['rule'])));
    }
  }
}

function readYaml(path: string): unknown {
  return load(readFileSync(path, 'utf8'));
}

/** The CRD that a suite is about; suites of gates that are off go with the CRD without gates. */
function crdOf(file: string): KubeObject {
  const name = `featuregated__${file.replace(/__-[^_]*\.yaml$/, '__AAA_ungated.yaml')}`;
  // The corpus is what it is: files of this name hold one CRD each.
  const crd = readYaml(join(folder ?? '', name)) as KubeObject;
  const other = completedBy[file];
  if (other !== undefined) {
    const added = readYaml(join(folder ?? '', `featuregated__${other.file}`)) as JsonObject;
    complete(schemaOf(crd, other.part), schemaOf(added, other.part));
  }
  const { name: crdName } = crd.metadata as { name: string };
  // The files without gates carry an annotation without a name, which is only there for upstream's own tools.
  return { ...crd, metadata: { name: crdName } };
}

/** A suite on a server of its own. */
class Bench {
  readonly server: IlkServer;
  readonly #crd: KubeObject;
  #count = 0;

  constructor(server: IlkServer, crd: KubeObject) {
    this.server = server;
    this.#crd = crd;
  }

  async call(method: string, path: string, body?: unknown, type = 'application/json') {
    const init =
      body === undefined
        ? { method }
        : { method, headers: { 'content-type': type }, body: JSON.stringify(body) };
    const response = await this.server.fetch(path, init);
    const answer: KubeObject = JSON.parse(await response.text());
    return { isRefused: response.status >= 400, answer, message: String(own(answer, 'message') ?? '') };
  }

  /** Where the objects of the version are. */
  collection(object: JsonObject): string {
    const { scope, names } = this.#crd['spec'] as { scope: string; names: { plural: string } };
    const { namespace = 'default' } = isObject(object['metadata']) ? object['metadata'] : {};
    const inNamespace = scope === 'Namespaced' ? `namespaces/${String(namespace)}/` : '';
    return `/apis/${String(object['apiVersion'])}/${inNamespace}${names.plural}`;
  }

  /** An object with a name of its own. */
  objectOf(text: string): KubeObject {
    const object = load(text) as KubeObject;
    const metadata = isObject(object['metadata']) ? object['metadata'] : {};
    this.#count += 1;
    object['metadata'] = { name: `test-${this.#count}`, ...metadata };
    return object;
  }

  /** Writes the status of an object, which the main resource does not take. */
  async writeStatus(path: string, status: JsonValue) {
    const { answer } = await this.call('GET', path);
    return this.call('PUT', `${path}/status`, { ...answer, status });
  }

  async patchCrd(patches: readonly JsonObject[]): Promise<void> {
    const path = this.#crdPath();
    const { isRefused, message } = await this.call('PATCH', path, patches, 'application/json-patch+json');
    expect(isRefused, message).toBe(false);
  }

  async restoreCrd(): Promise<void> {
    const path = this.#crdPath();
    const { answer } = await this.call('GET', path);
    const restored = await this.call('PUT', path, { ...answer, spec: clone(this.#crd['spec'] ?? null) });
    expect(restored.isRefused, restored.message).toBe(false);
  }

  #crdPath(): string {
    const { name } = this.#crd.metadata as { name: string };
    return `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  }
}

const withoutMetadata = ({ metadata: _, ...rest }: JsonObject): JsonObject => rest;

async function runCreate(bench: Bench, { initial, expected, expectedError }: Case): Promise<void> {
  const object = bench.objectOf(initial);
  const created = await bench.call('POST', bench.collection(object), object);
  if (expectedError !== undefined) return expectRefusal(created, expectedError);
  expect(created.isRefused, created.message).toBe(false);
  expect(withoutMetadata(created.answer)).toEqual(withoutMetadata(load(expected ?? '') as JsonObject));
}

/**
 * The suites were written for a kube-apiserver that named the type of a value in the errors of rules, and printed
 * duplicates as Go prints maps; since then it shows scalars, leaves the others out, and prints JSON.
 */
function wordingToday(text: string): RegExp {
  const pattern = text
    .trim()
    .replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
    .replace(/Invalid value: "(object|array)": /g, 'Invalid value: ("$1": )?')
    .replace(/Invalid value: "(string|integer|boolean)": /g, 'Invalid value: ("(\\\\.|[^"\\\\])*"|[-\\w]+): ')
    .replace('Invalid value: "null": ', 'Invalid value: null: ')
    .replace(/Duplicate value: map.*/s, 'Duplicate value: \\{');
  return new RegExp(pattern);
}

function expectRefusal({ isRefused, message }: { isRefused: boolean; message: string }, text: string): void {
  expect(isRefused).toBe(true);
  expect(message).toMatch(wordingToday(text));
}

async function runUpdate(bench: Bench, one: Case): Promise<void> {
  const initial = bench.objectOf(one.initial);
  const path = `${bench.collection(initial)}/${(initial.metadata as { name: string }).name}`;
  if (one.initialCRDPatches !== undefined) await bench.patchCrd(one.initialCRDPatches);
  const created = await bench.call('POST', bench.collection(initial), initial);
  expect(created.isRefused, created.message).toBe(false);
  if (initial['status'] !== undefined) {
    const { isRefused, message } = await bench.writeStatus(path, initial['status']);
    expect(isRefused, message).toBe(false);
  }
  if (one.initialCRDPatches !== undefined) await bench.restoreCrd();
  const updated = load(one.updated ?? '') as JsonObject;
  const stored = (await bench.call('GET', path)).answer;
  const metadata = { ...(isObject(updated['metadata']) ? updated['metadata'] : {}), ...identityOf(stored) };
  let result = await bench.call('PUT', path, { ...updated, metadata });
  if (one.expectedError !== undefined) return expectRefusal(result, one.expectedError);
  expect(result.isRefused, result.message).toBe(false);
  if (updated['status'] !== undefined) {
    result = await bench.writeStatus(path, updated['status']);
    if (one.expectedStatusError !== undefined) return expectRefusal(result, one.expectedStatusError);
    expect(result.isRefused, result.message).toBe(false);
  }
  expect(withoutMetadata(result.answer)).toEqual(withoutMetadata(load(one.expected ?? '') as JsonObject));
}

function identityOf(stored: JsonObject): JsonObject {
  const { name, namespace, resourceVersion } = stored['metadata'] as JsonObject;
  return { name, resourceVersion, ...(namespace === undefined ? {} : { namespace }) } as JsonObject;
}

describe.skipIf(folder === undefined)('openshift/api (skipped where the corpus is absent)', () => {
  test('has suites', () => expect(files.length).toBe(43));

  describe.each(files)('%s', (file) => {
    const suite = readYaml(join(folder ?? '', 'tests', file)) as Suite;
    const crd = crdOf(file);
    let bench: Promise<Bench> | undefined;
    const open = () =>
      (bench ??= startServer({
        crds: [crd],
        listen: false,
        disableAdmissionPlugins: ['NamespaceLifecycle'],
      }).then((server) => new Bench(server, crd)));
    afterAll(async () => (await bench)?.server.close());

    const { onCreate = [], onUpdate = [] } = suite.tests;
    const clean = async (one: Case, run: (at: Bench, one: Case) => Promise<void>) => {
      const at = await open();
      try {
        await run(at, one);
      } finally {
        await at.call('DELETE', at.collection(at.objectOf(one.initial)));
      }
    };
    for (const one of onCreate)
      test.skipIf(exceptions[one.name] !== undefined)(`create: ${one.name}`, () => clean(one, runCreate));
    for (const one of onUpdate)
      test.skipIf(exceptions[one.name] !== undefined)(`update: ${one.name}`, () => clean(one, runUpdate));
  });
});
