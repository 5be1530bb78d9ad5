import { load } from 'js-yaml';
import { expect } from 'vitest';
import {
  clone,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
} from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { type Case, wordingToday } from './openshift-corpus.test-support.ts';

/** A server with the CRD of a suite. */
export class SuiteBench {
  readonly server: IlkServer;
  readonly #crd: KubeObject;
  #count = 0;

  private constructor(server: IlkServer, crd: KubeObject) {
    this.server = server;
    this.#crd = crd;
  }

  static async start(crd: KubeObject): Promise<SuiteBench> {
    const disableAdmissionPlugins = ['NamespaceLifecycle'];
    return new SuiteBench(await startServer({ crds: [crd], listen: false, disableAdmissionPlugins }), crd);
  }

  /** What must become of an object, or why it must be refused; it is gone afterwards. */
  async run(one: Case, verb: 'create' | 'update'): Promise<void> {
    try {
      await (verb === 'create' ? runCreate(this, one) : runUpdate(this, one));
    } finally {
      await this.call('DELETE', this.collection(this.objectOf(one.initial)));
    }
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

async function runCreate(bench: SuiteBench, { initial, expected, expectedError }: Case): Promise<void> {
  const object = bench.objectOf(initial);
  const created = await bench.call('POST', bench.collection(object), object);
  if (expectedError !== undefined) return expectRefusal(created, expectedError);
  expect(created.isRefused, created.message).toBe(false);
  expect(withoutMetadata(created.answer)).toEqual(withoutMetadata(load(expected ?? '') as JsonObject));
}

function expectRefusal({ isRefused, message }: { isRefused: boolean; message: string }, text: string): void {
  expect(isRefused).toBe(true);
  expect(message).toMatch(wordingToday(text));
}

async function runUpdate(bench: SuiteBench, one: Case): Promise<void> {
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
