import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Widgets } from './widgets.test-support.ts';

/** A request in the namespace of its row, and what kube-apiserver answered. */
interface Step {
  readonly method: string;
  readonly to: string;
  readonly body: object;
  readonly code: number;
  readonly message?: string;
  readonly resources?: unknown[];
  readonly note?: string;
  readonly limits?: unknown[];
}

interface Row {
  readonly case: string;
  readonly quotas?: Record<string, { hard: object }>;
  readonly limitRanges?: Record<string, object>;
  readonly steps: Step[];
  readonly used?: Record<string, object>;
}

const rows = readFileSync(join(import.meta.dirname, 'kube-quotas.test-data.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

let widgets: Widgets;
beforeAll(async () => {
  widgets = await Widgets.start();
  for (const [name, value] of [
    ['high', 1000],
    ['low', 10],
  ] as const) {
    const body = { metadata: { name }, value };
    await widgets.call('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', body);
  }
});
afterAll(() => widgets[Symbol.asyncDispose]());

const statusOf = async (root: string, quota: string) =>
  (await widgets.call('GET', `${root}/resourcequotas/${quota}`)).body.status;

/** Makes what a row has in its namespace, and waits until quotas were counted. */
async function prepare(root: string, { quotas = {}, limitRanges = {} }: Row): Promise<void> {
  for (const [name, spec] of Object.entries(limitRanges)) {
    await widgets.call('POST', `${root}/limitranges`, { metadata: { name }, spec });
  }
  for (const [name, spec] of Object.entries(quotas)) {
    await widgets.call('POST', `${root}/resourcequotas`, { metadata: { name }, spec });
    await vi.waitFor(async () => expect((await statusOf(root, name)).hard).toEqual(spec.hard), 10_000);
  }
}

const mediaTypes = new Map([['PATCH', 'application/merge-patch+json']]);

/** What the recorder keeps of an answer. */
async function take(root: string, { method, to, body }: Step): Promise<Omit<Step, 'method' | 'body'>> {
  const answer = await widgets.call(method, `${root}/${to}`, body, mediaTypes.get(method));
  const { code, body: object } = answer;
  if (code >= 400) return { to, code, message: object.message };
  const containers = [...(object.spec?.containers ?? []), ...(object.spec?.initContainers ?? [])];
  const note = object.metadata?.annotations?.['kubernetes.io/limit-ranger'];
  return {
    to,
    code,
    ...(to === 'pods' ? { resources: containers.map(({ resources }) => resources) } : {}),
    ...(note === undefined ? {} : { note }),
    ...(to === 'limitranges' ? { limits: object.spec.limits } : {}),
  };
}

test.each(rows.map((row, index) => [row.case, row, index] as const))('%s', async (_, row, index) => {
  const name = `row-${index}`;
  const root = `/api/v1/namespaces/${name}`;
  await widgets.call('POST', '/api/v1/namespaces', { metadata: { name } });
  await prepare(root, row);
  for (const step of row.steps) {
    const { method: _method, body: _body, ...expected } = step;
    expect(await take(root, step)).toEqual(expected);
  }
  for (const [quota, used] of Object.entries(row.used ?? {})) {
    await vi.waitFor(async () => expect((await statusOf(root, quota)).used).toEqual(used), 10_000);
  }
});
