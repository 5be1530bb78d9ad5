import { afterAll, beforeAll, expect } from 'vitest';
import type { JsonObject, KubeObject } from '../src/meta/index.ts';
import { type ServerOptions, startServer } from '../src/server.ts';

export const collection = '/apis/example.com/v1/namespaces/default/gardens';
const text = { type: 'string' };

/** A garden has rows that can be scaled, sizes that can be too large, and a shed that is an object of its own. */
export const gardenSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        rows: { 'x-kubernetes-preserve-unknown-fields': true },
        size: { type: 'integer', maximum: 10 },
        shed: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        plants: text,
      },
    },
    status: {
      type: 'object',
      properties: {
        rows: { 'x-kubernetes-preserve-unknown-fields': true },
        size: { type: 'integer', maximum: 10 },
        seen: { type: 'object', additionalProperties: { type: 'integer' } },
        plants: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    extra: text,
  },
};

export const gardenScale = {
  specReplicasPath: '.spec.rows',
  statusReplicasPath: '.status.rows',
  labelSelectorPath: '.status.plants',
};

/** A version of gardens; with both subresources unless told otherwise. */
export function gardenVersion(name: string, subresources: JsonObject = { status: {}, scale: gardenScale }) {
  const storage = name === 'v1';
  return { name, served: true, storage, subresources, schema: { openAPIV3Schema: gardenSchema } };
}

export function gardenCrd(versions: readonly JsonObject[] = [gardenVersion('v1')]): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gardens.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gardens', singular: 'garden', kind: 'Garden' },
      versions: [...versions],
    },
  };
}

export function garden(name: string, rest: JsonObject = {}): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Garden', metadata: { name }, ...rest };
}

/** A Scale to send. */
export function scale(name: string, replicas: unknown, metadata: JsonObject = {}) {
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, ...metadata },
    spec: { replicas },
  };
}

export const mergePatch = 'application/merge-patch+json';
export const jsonPatch = 'application/json-patch+json';
export const applyPatch = 'application/apply-patch+yaml';

/** A server with gardens, and a short way to call it. */
export type Gardens = Awaited<ReturnType<typeof startGardens>>;

export async function startGardens(options: ServerOptions = {}) {
  const server = await startServer({ crds: [gardenCrd()], listen: false, ...options });
  const call = async (method: string, path: string, body?: unknown, type = 'application/json') => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
    const response = await server.fetch(path, { method, ...sent });
    return { code: response.status, body: JSON.parse(await response.text()) };
  };
  return { server, call, [Symbol.asyncDispose]: () => server.close() };
}

/** Gardens for all tests of a file: there before the first of them, closed after the last. */
export function sharedGardens() {
  let gardens: Gardens;
  beforeAll(async () => {
    gardens = await startGardens();
  });
  afterAll(() => gardens.server.close());
  const call: Gardens['call'] = (...request) => gardens.call(...request);
  const fetch: Gardens['server']['fetch'] = (...request) => gardens.server.fetch(...request);
  /** A new garden with three rows; gives its path. */
  const newGarden = async (name: string): Promise<string> => {
    expect((await call('POST', collection, garden(name, { spec: { rows: 3 } }))).code).toBe(201);
    return `${collection}/${name}`;
  };
  return { call, fetch, newGarden };
}
