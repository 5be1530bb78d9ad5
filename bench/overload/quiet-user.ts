import type { Job } from '../peer/load-generator.ts';
import type { SharedServer } from './shared-server.ts';

const body = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { generateName: 'quiet-' },
  data: { a: '1' },
});
const json = { 'content-type': 'application/json' };

/** What the quiet user asks for, on one connection each. */
const jobs = {
  get: { path: '/api/v1/namespaces/default', everyMs: 10 },
  create: { method: 'POST', path: '/api/v1/namespaces/default/configmaps', body, headers: json, everyMs: 25 },
} satisfies Record<string, Partial<Job>>;

/** Milliseconds until the answer to a quiet user. */
export interface QuietLatencies {
  readonly get: { readonly p50: number; readonly p99: number };
  readonly create: { readonly p50: number; readonly p99: number };
}

/** The latencies of a user who reads an object a hundred times a second, and creates one forty times. */
export async function quietLatencies(server: SharedServer, forMs: number): Promise<QuietLatencies> {
  const measured = Object.values(jobs).map(async (job) => {
    const requests = Math.ceil(forMs / job.everyMs);
    const { p50Us, p99Us } = await server.run('quiet', { connections: 1, requests, ...job });
    return { p50: p50Us / 1000, p99: p99Us / 1000 };
  });
  const [get, create] = await Promise.all(measured);
  if (get === undefined || create === undefined) throw new Error('not measured');
  return { get, create };
}
