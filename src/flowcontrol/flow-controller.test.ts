import { describe, expect, test } from 'vitest';
import {
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
} from './bootstrap-objects.ts';
import { dumpPriorityLevels, dumpRequests } from './dump.ts';
import { FlowController } from './flow-controller.ts';
import { flowMetrics } from './flow-metrics.ts';
import type { Place } from './place.ts';
import type { RequestDigest } from './request-digest.ts';

const bootstrap = {
  flowSchemas: [...mandatoryFlowSchemas, ...suggestedFlowSchemas],
  priorityLevels: [...mandatoryPriorityLevels, ...suggestedPriorityLevels],
};

/** A controller with the bootstrap objects and a stopped clock. */
function make(config: ConstructorParameters<typeof FlowController>[1] = bootstrap) {
  const clock = { ms: 0 };
  return { clock, controller: new FlowController({ now: () => clock.ms, seats: 600 }, config) };
}

const authenticated = 'system:authenticated';

function digest(
  name: string,
  groups: string[],
  what = 'list configmaps',
  namespace = 'default',
): RequestDigest {
  const user = { name, groups: [...groups, authenticated] };
  const [verb = '', resource = ''] = what.split(' ');
  if (resource.startsWith('/')) return { user, verb, path: resource, resource: undefined };
  const [plural = '', group = ''] = resource.split('.');
  return {
    user,
    verb,
    path: `/${resource}`,
    resource: { group, version: 'v1', resource: plural, subresource: '', namespace, name: '' },
  };
}

test('a new configuration applies to users that were classified before', () => {
  const { controller } = make();
  const jane = digest('jane', []);
  expect(controller.classify(jane).schema.name).toBe('global-default');
  controller.configure({
    flowSchemas: [...mandatoryFlowSchemas],
    priorityLevels: [...mandatoryPriorityLevels],
  });
  expect(controller.classify(jane).schema.name).toBe('catch-all');
});

describe('classification', () => {
  const { controller } = make();
  test.each<[RequestDigest, string, string, string]>([
    [digest('admin', ['system:masters']), 'exempt', 'exempt', ''],
    [digest('jane', []), 'global-default', 'global-default', 'jane'],
    [digest('jane', [], 'get /readyz'), 'probes', 'exempt', ''],
    [digest('jane', [], 'get /readyz/etcd'), 'probes', 'exempt', ''],
    [digest('jane', [], 'get /readyzz'), 'global-default', 'global-default', 'jane'],
    [digest('system:node:a', ['system:nodes']), 'system-nodes', 'system', 'system:node:a'],
    [
      digest('system:node:a', ['system:nodes'], 'get nodes', ''),
      'system-node-high',
      'node-high',
      'system:node:a',
    ],
    [
      digest('system:serviceaccount:kube-system:a', ['system:serviceaccounts'], 'list pods', 'shop'),
      'kube-system-service-accounts',
      'workload-high',
      'shop',
    ],
    [
      digest('system:serviceaccount:kube-system:a', [], 'update leases.coordination'),
      'kube-system-service-accounts',
      'workload-high',
      'default',
    ],
    [
      digest('system:serviceaccount:shop:a', ['system:serviceaccounts']),
      'service-accounts',
      'workload-low',
      'system:serviceaccount:shop:a',
    ],
    [{ ...digest('x', []), user: { name: 'x', groups: [] } }, 'catch-all', 'catch-all', ''],
  ])('%#', (asked, schema, level, flow) => {
    const found = controller.classify(asked);
    expect([found.schema.name, found.level.config.name, found.distinguisher]).toEqual([schema, level, flow]);
  });

  test('creates the mandatory objects if nothing is configured', () => {
    const { controller: bare } = make({ flowSchemas: [], priorityLevels: [] });
    expect(bare.schemas.map(({ schema }) => schema.name)).toEqual(['exempt', 'catch-all']);
    expect(bare.classify(digest('jane', [])).schema.name).toBe('catch-all');
  });

  test('ignores a schema whose level is missing', () => {
    const { controller: partly } = make({ ...bootstrap, priorityLevels: [...mandatoryPriorityLevels] });
    expect(partly.classify(digest('jane', [])).schema.name).toBe('catch-all');
  });
});

test('divides seats by shares, as upstream with its default flags', () => {
  const { controller } = make();
  const rows = controller.levels.map(({ config, range, queueSet, requestSeatsMax }) =>
    [config.name, range.nominal, range.lower, range.upper, queueSet.limit, requestSeatsMax].join(' '),
  );
  expect(rows).toEqual([
    'catch-all 13 13 613 13 10',
    'exempt 0 0 600 0 10',
    'global-default 49 24 649 37 8',
    'leader-election 25 25 625 25 4',
    'node-high 98 73 698 86 10',
    'system 74 50 674 62 10',
    'workload-high 98 49 698 74 10',
    'workload-low 245 24 845 135 10',
  ]);
});

/** Submits requests; returns those that wait or run. */
function enter(controller: FlowController, asked: RequestDigest, count: number): Place[] {
  const classified = controller.classify(asked);
  return Array.from({ length: count }, () => controller.enter(asked, classified, 1)).filter(
    (place) => typeof place !== 'string',
  );
}

const runningOf = (places: readonly Place[]) => places.filter(({ isExecuting }) => isExecuting).length;

test('without a free seat, requests wait in the queues of their flow; full queues reject', () => {
  const { controller } = make();
  const flood = enter(controller, digest('flood', []), 1_000);
  // Of 37 seats, four are reserved for other flows; the flow has six queues of 50.
  expect([runningOf(flood), flood.length]).toEqual([33, 333]);
  const quiet = enter(controller, digest('quiet', []), 6);
  expect(runningOf(quiet)).toBe(4);
  const classified = controller.classify(digest('flood', []));
  for (const place of flood.filter(({ isExecuting }) => isExecuting).slice(0, 2))
    controller.leave(classified, place);
  expect(runningOf(quiet)).toBe(6);
});

test('exempt requests never wait, and a level without queues rejects', () => {
  const { controller } = make();
  expect(runningOf(enter(controller, digest('admin', ['system:masters']), 5_000))).toBe(5_000);
  const strangers = enter(controller, { ...digest('x', []), user: { name: 'x', groups: [] } }, 100);
  expect([strangers.length, runningOf(strangers)]).toEqual([13, 13]);
});

/** The seats that one busy flow can get. */
const shared = (seats = 0) => seats - Math.floor(seats / 8);

test('a level borrows unused seats, and returns them', () => {
  const { clock, controller } = make();
  const limits = () =>
    Object.fromEntries(controller.levels.map(({ config, queueSet }) => [config.name, queueSet.limit]));
  const flood = enter(controller, digest('flood', []), 1_000);
  clock.ms = 10_000;
  controller.adjust();
  const borrowed = limits();
  expect(borrowed['global-default']).toBeGreaterThan(337);
  expect(borrowed['workload-low']).toBeLessThan(30);
  const all = Object.values(borrowed).reduce((a, b) => a + b, 0);
  // Each is rounded.
  expect(Math.abs(all - 602)).toBeLessThan(4);
  expect(runningOf(flood)).toBe(shared(borrowed['global-default']));
  const workers = enter(controller, digest('system:serviceaccount:shop:a', ['system:serviceaccounts']), 300);
  expect(runningOf(workers)).toBe(shared(borrowed['workload-low']));
  clock.ms = 20_000;
  controller.adjust();
  // Unlent seats are available to their level immediately.
  expect(runningOf(workers)).toBeGreaterThanOrEqual(shared(245));
});

test('a configuration change keeps waiting and running requests', () => {
  const { controller } = make();
  const flood = enter(controller, digest('flood', []), 200);
  controller.configure(bootstrap);
  expect([runningOf(flood), controller.classify(digest('flood', [])).level.queueSet.waiting]).toEqual([
    33, 167,
  ]);
  controller.configure({ flowSchemas: [], priorityLevels: [] });
  expect(controller.classify(digest('flood', [])).level.config.name).toBe('catch-all');
  expect(runningOf(flood)).toBe(33);
});

test('dumps and metrics show levels and requests', () => {
  const { controller } = make();
  enter(controller, digest('jane', []), 40);
  const row = dumpPriorityLevels(controller).split('\n');
  expect(row[0]).toBe(
    'PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests',
  );
  expect(row.find((line) => line.startsWith('global-default'))?.split(/, +/)).toEqual([
    'global-default',
    '6',
    'false',
    'false',
    '7',
    '33',
    '33',
    '0',
    '0',
    '0',
  ]);
  const requests = dumpRequests(controller, { details: true, timeOf: String }).trim().split('\n');
  expect(requests).toHaveLength(41);
  const metrics = flowMetrics(controller);
  expect(metrics).toContain(
    'apiserver_flowcontrol_current_executing_requests{flow_schema="global-default",priority_level="global-default"} 33\n',
  );
  expect(metrics).toContain('apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"} 245\n');
  expect(metrics).toContain(
    'apiserver_flowcontrol_request_wait_duration_seconds_bucket{flow_schema="global-default",priority_level="global-default",le="0.002"} 33\n',
  );
});
