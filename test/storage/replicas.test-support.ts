import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../src/meta/index.ts';
import type { IlkServer } from '../../src/server.ts';

export const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** A tenth of the defaults and less. */
export const leaderElection = { leaseMs: 1_000, renewDeadlineMs: 700, retryMs: 100 };

export async function call(
  server: IlkServer,
  method: string,
  path: string,
  body?: unknown,
  type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
) {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
  const response = await server.fetch(path, { method, ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { code: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Asks until an answer is as it should be. */
export async function until<T>(
  ask: () => Promise<T>,
  good: (answer: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    if (Date.now() > endMs) throw new Error(`still ${JSON.stringify(answer)}`);
    await sleep(20);
  }
}

/** A cluster-scoped kind that has nothing. */
export function gadgetCrd(plural: string): KubeObject {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: {} } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural, kind: `Gadget${plural}` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
