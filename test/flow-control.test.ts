import { afterEach, describe, expect, test } from 'vitest';
import type { Authorizer } from '../src/auth/index.ts';
import type { JsonObject } from '../src/meta/index.ts';
import { type IlkServer, type ServerOptions, startServer } from '../src/server.ts';
import { FakeClock } from '../src/testing/index.ts';

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };
const allowAll: Authorizer = { authorize: () => ({ verdict: 'allow', reason: '' }) };

let server: IlkServer;
afterEach(() => server.close());

/** A fair server, with the objects that every server has. */
async function start(options: ServerOptions = {}): Promise<void> {
  server = await startServer({ priorityAndFairness: true, listen: false, authorizer: allowAll, ...options });
  await expect.poll(() => names('flowschemas')).toHaveLength(11);
  await expect.poll(() => names('prioritylevelconfigurations')).toHaveLength(8);
}

const read = async (path: string) => Object(await (await server.fetch(path)).json());

async function names(resource: string): Promise<string[]> {
  const { items } = await read(`${group}/${resource}`);
  return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).sort();
}

async function send(method: string, path: string, body: JsonObject, type = json['content-type']) {
  const answer = await server.fetch(path, {
    method,
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: Object(await answer.json()) };
}

/** The precedences of the schemas, by name. */
async function precedences(): Promise<Map<string, number>> {
  const { items } = await read(`${group}/flowschemas`);
  type Schema = { metadata: { name: string }; spec: { matchingPrecedence: number } };
  return new Map(items.map(({ metadata, spec }: Schema) => [metadata.name, spec.matchingPrecedence]));
}

const conditionsOf = async (schema: string) => {
  const { status } = await read(`${group}/flowschemas/${schema}`);
  return (status.conditions ?? []).map(({ type, status: is, reason }: JsonObject) => [type, is, reason]);
};

describe('the objects that every server has', () => {
  test('are there, and each schema says that its level is', async () => {
    await start();
    expect(await names('prioritylevelconfigurations')).toEqual([
      'catch-all',
      'exempt',
      'global-default',
      'leader-election',
      'node-high',
      'system',
      'workload-high',
      'workload-low',
    ]);
    await expect.poll(() => conditionsOf('service-accounts')).toEqual([['Dangling', 'False', 'Found']]);
  });

  test('come back where they are mandatory', async () => {
    await start();
    const { body } = await send('DELETE', `${group}/flowschemas/catch-all`, {});
    expect(body.status).toBe('Success');
    await expect.poll(() => names('flowschemas')).toContain('catch-all');
  });

  test('suggested ones get their spec back within a minute, unless their annotation says no', async () => {
    const clock = new FakeClock('2026-03-01T12:00:00Z');
    await start({ clock, timers: clock });
    const before = await precedences();
    const kept = 'service-accounts';
    for (const [name, precedence] of before) {
      if (name === 'exempt' || name === 'catch-all') continue;
      const metadata = name === kept ? { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } } : {};
      const body = { metadata, spec: { matchingPrecedence: precedence + 1 } };
      const patch = 'application/merge-patch+json';
      expect((await send('PATCH', `${group}/flowschemas/${name}`, body, patch)).status).toBe(200);
    }
    const changed = before.get(kept) ?? 0;
    clock.advance(60_000);
    await expect.poll(precedences).toEqual(new Map([...before, [kept, changed + 1]]));
  });

  test('a schema whose level goes says so', async () => {
    await start();
    await send('DELETE', `${group}/prioritylevelconfigurations/workload-low`, {});
    await expect.poll(() => conditionsOf('service-accounts')).toEqual([['Dangling', 'True', 'NotFound']]);
  });
});

/** The names of the schema and the level that an answer says it was classified by. */
async function classifiedAs(answer: { readonly headers: Headers }): Promise<string[]> {
  const uidOf = (header: string) => answer.headers.get(header) ?? '';
  const nameOf = async (resource: string, uid: string) => {
    const { items } = await read(`${group}/${resource}`);
    return (
      items.find(({ metadata }: { metadata: { uid: string } }) => metadata.uid === uid)?.metadata.name ?? ''
    );
  };
  return [
    await nameOf('flowschemas', uidOf('x-kubernetes-pf-flowschema-uid')),
    await nameOf('prioritylevelconfigurations', uidOf('x-kubernetes-pf-prioritylevel-uid')),
  ];
}

describe('classification', () => {
  test('answers say by uid where their request belonged, refusals too', async () => {
    await start();
    await expect.poll(async () => classifiedAs(await server.fetch(configMaps))).toEqual(['exempt', 'exempt']);
    const jane = server.as({ name: 'jane', groups: ['system:authenticated'] });
    await expect
      .poll(async () => classifiedAs(await jane.fetch(configMaps)))
      .toEqual(['global-default', 'global-default']);
    expect(await classifiedAs(await jane.fetch(`${configMaps}/absent`))).toEqual([
      'global-default',
      'global-default',
    ]);
    expect(await classifiedAs(await jane.fetch('/readyz'))).toEqual(['probes', 'exempt']);
  });

  test('a new schema is used at once', async () => {
    await start();
    await send('POST', `${group}/prioritylevelconfigurations`, {
      metadata: { name: 'shop' },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
    });
    const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };
    await send('POST', `${group}/flowschemas`, {
      metadata: { name: 'shop' },
      spec: {
        priorityLevelConfiguration: { name: 'shop' },
        matchingPrecedence: 50,
        rules: [{ subjects: [{ kind: 'User', user: { name: 'jane' } }], resourceRules: [rule] }],
      },
    });
    const jane = server.as({ name: 'jane', groups: ['system:authenticated'] });
    await expect.poll(async () => classifiedAs(await jane.fetch(configMaps))).toEqual(['shop', 'shop']);
  });
});

describe('overload', () => {
  /** Requests that run until they are let go, one at a time or all. */
  function holding() {
    const waiting: (() => void)[] = [];
    let open = false;
    const authorizer = allowAll;
    return {
      authorizer,
      release: () => {
        open = true;
        for (const go of waiting.splice(0)) go();
      },
      /** A body that does not end before. */
      body: () =>
        new ReadableStream({
          async start(controller) {
            if (!open) await new Promise<void>((go) => waiting.push(go));
            controller.enqueue(new TextEncoder().encode('{"metadata":{"generateName":"a-"}}'));
            controller.close();
          },
        }),
    };
  }

  test('one who floods waits and is sent away, another is served; the log names the flow once', async () => {
    const held = holding();
    const troubles: string[] = [];
    const onTrouble = (error: unknown) => void troubles.push(String(error));
    await start({ maxRequestsInFlight: 20, maxMutatingRequestsInFlight: 10, onTrouble });
    const flood = server.as({ name: 'flood', groups: ['system:authenticated'] });
    const create = () =>
      flood.fetch(configMaps, {
        method: 'POST',
        headers: json,
        body: held.body(),
        duplex: 'half',
      } as RequestInit);
    const sent = Array.from({ length: 400 }, create);
    const early = await Promise.race([
      Promise.all(sent.slice(0, 300)),
      Promise.any(sent.map(async (one) => (await one).status)),
    ]);
    expect(early).toBe(429);
    const dump = await (await server.fetch('/debug/api_priority_and_fairness/dump_priority_levels')).text();
    const [, , , , waiting, executing] =
      dump
        .split('\n')
        .find((line) => line.startsWith('global-default'))
        ?.split(/, +/) ?? [];
    // Three seats of 30 by the shares of the level, one of them lent; and 50 in each of its flow's six queues.
    expect([waiting, executing]).toEqual(['300', '2']);
    const admin = await server.fetch(configMaps);
    expect(admin.status).toBe(200);
    held.release();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(302);
    expect(statuses.filter((status) => status === 429)).toHaveLength(98);
    const refused = (await Promise.all(sent)).find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    const metrics = await (await server.fetch('/metrics')).text();
    expect(metrics).toContain(
      'apiserver_flowcontrol_rejected_requests_total{flow_schema="global-default",priority_level="global-default",reason="queue-full"} 98',
    );
    expect(troubles).toEqual([
      'FlowPushedBackError: too many requests of flow flood (global-default): some are rejected',
    ]);
    const families = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(families).toEqual(
      expect.arrayContaining([
        'apiserver_flowcontrol_request_wait_duration_seconds',
        'apiserver_flowcontrol_current_inqueue_requests',
        'apiserver_flowcontrol_current_executing_seats',
        'ilk_buffered_answer_bytes',
        'ilk_buffered_answer_waiting_requests',
        'ilk_buffered_answer_refused_total',
      ]),
    );
  });

  test('without fairness, requests are counted', async () => {
    const held = holding();
    server = await startServer({ listen: false, authorizer: allowAll, maxMutatingRequestsInFlight: 2 });
    const jane = server.as({ name: 'jane', groups: ['system:authenticated'] });
    const create = () =>
      jane.fetch(configMaps, {
        method: 'POST',
        headers: json,
        body: held.body(),
        duplex: 'half',
      } as RequestInit);
    const sent = Array.from({ length: 3 }, create);
    expect((await sent[2])?.status).toBe(429);
    held.release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([201, 201, 429]);
    expect((await sent[0])?.headers.get('x-kubernetes-pf-flowschema-uid')).toBeNull();
    expect((await server.fetch('/debug/api_priority_and_fairness/dump_queues')).status).toBe(404);
  });
});
