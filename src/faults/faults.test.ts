import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ConnectionDropped } from '../http/index.ts';
import type { FaultMatch, FaultRule } from './index.ts';
import { latencyKind } from './kinds/latency.ts';
import { stallKind } from './kinds/stall.ts';
import { newFaults, request, send, watchLines } from './known-request.test-support.ts';
import { RuleReader } from './rule-reader.ts';

/** The results of this many equal requests, `.` for one that passes. */
async function pattern(rule: FaultRule, times: number): Promise<string> {
  const faults = newFaults();
  faults.add(rule);
  let seen = '';
  for (let time = 0; time < times; time += 1) seen += (await send(faults, request())) === '200' ? '.' : 'x';
  return seen;
}

const error: FaultRule = { fault: 'error', code: 500 };

describe('how often', () => {
  test.each<[FaultRule, string]>([
    [error, 'xxxxxxxx'],
    [{ ...error, count: 2 }, 'xx......'],
    [{ ...error, skip: 3, count: 2 }, '...xx...'],
    [{ ...error, probability: 0 }, '........'],
    [{ ...error, probability: 0.5, seed: 1 }, '.x...x..'],
    [{ ...error, probability: 0.5, seed: 1, count: 1 }, '.x......'],
    [{ ...error, probability: 0.5, seed: 2 }, '.xx...xx'],
  ])('%j applies to %s', async (rule, expected) => {
    expect(await pattern(rule, 8)).toBe(expected);
  });

  test('a rule without a seed is given one, which repeats what it did', async () => {
    const faults = newFaults();
    const { rule } = faults.add({ ...error, probability: 0.5 });
    expect(rule.seed).toBe(2 ** 31);
    expect(await pattern(rule, 64)).toBe(await pattern({ ...error, probability: 0.5, seed: 2 ** 31 }, 64));
  });

  test('what was seen and what was hit is counted', async () => {
    const faults = newFaults();
    const added = faults.add({ ...error, skip: 1, count: 1, match: { verbs: ['get'] } });
    for (const verb of ['get', 'list', 'get', 'get'] as const) await send(faults, request({ verb }));
    expect([added.seen, added.hits]).toEqual([3, 1]);
  });
});

describe('which requests', () => {
  const status = { path: { subresource: 'status' } };
  test.each<[FaultMatch, Parameters<typeof request>[0], boolean]>([
    [{ verbs: ['get', 'list'] }, {}, true],
    [{ verbs: ['list'] }, {}, false],
    [{ groups: ['example.com'] }, {}, true],
    [{ groups: [''] }, {}, false],
    [{ groups: [''] }, { path: { group: '' } }, true],
    [{ resources: ['gardens'] }, {}, true],
    [{ resources: ['gardens'] }, status, false],
    [{ resources: ['gardens/status'] }, status, true],
    [{ resources: ['gardens/*'] }, status, true],
    [{ resources: ['gardens/*'] }, {}, false],
    [{ resources: ['*/status'] }, status, true],
    [{ resources: ['*'] }, status, true],
    [{ namespaces: ['default'], names: ['roses'] }, {}, true],
    [{ namespaces: ['default'], names: ['tulips'] }, {}, false],
    [{ users: ['bob'] }, {}, false],
    [{ users: ['bob', 'alice'] }, {}, true],
    [{ userAgents: ['manager/'] }, { userAgent: 'Go manager/v0' }, true],
    [{ userAgents: ['manager/'] }, {}, false],
    [{ paths: ['/apis/example.com/*'] }, {}, true],
    [{ paths: ['/apis'] }, {}, false],
    [{}, { path: { resource: '' }, url: '/apis/example.com/v1' }, false],
    [{ paths: ['/apis/*'] }, { path: { resource: '' }, url: '/apis/example.com/v1' }, true],
    [{ paths: ['*'], names: ['x'] }, { path: { resource: '' }, url: '/readyz' }, false],
  ])('%j and %j: %s', async (match, asked, applies) => {
    const faults = newFaults();
    faults.add({ ...error, match });
    expect(await send(faults, request(asked))).toBe(applies ? '500 InternalError' : '200');
  });

  test('conflicts befall writes, a past that is forgotten befalls watches, unless a rule says otherwise', async () => {
    const faults = newFaults();
    faults.add({ fault: 'conflict' });
    faults.add({ fault: 'expired' });
    const answers = (verbs: readonly ('get' | 'create' | 'update' | 'patch' | 'delete' | 'list')[]) =>
      Promise.all(verbs.map((verb) => send(faults, request({ verb }))));
    expect(await answers(['update', 'patch', 'delete'])).toEqual(Array(3).fill('409 Conflict'));
    expect(await answers(['get', 'create', 'list'])).toEqual(['200', '200', '200']);
    faults.add({ fault: 'drop', afterEvents: 1 });
    faults.add({ fault: 'stall', open: true });
    expect(await answers(['get', 'list'])).toEqual(['200', '200']);
    faults.add({ fault: 'expired', match: { verbs: ['list'] } });
    expect(await answers(['list'])).toEqual(['410 Expired']);
  });
});

describe('several rules', () => {
  test('are asked in their order: the first that answers ends it, and those behind it see nothing', async () => {
    const faults = newFaults();
    const slow = faults.add({ fault: 'latency', delayMs: 1 });
    const first = faults.add({ fault: 'error', code: 503, count: 1 });
    const second = faults.add({ fault: 'drop' });
    expect(await send(faults, request())).toBe('503 ServiceUnavailable');
    expect(await send(faults, request())).toBe('the connection was dropped');
    expect([slow.hits, first.hits, second.seen]).toEqual([2, 1, 1]);
  });

  test('go one by one or all at once; what they held up goes on', async () => {
    const faults = newFaults();
    const stall = faults.add({ fault: 'stall', count: 1 });
    faults.add({ ...error, skip: 1 });
    const held = send(faults, request());
    expect(faults.remove('nobody')).toBe(false);
    stall.remove();
    expect(await held).toBe('200');
    faults.clear();
    expect(await send(faults, request())).toBe('200');
    expect(faults.rules).toEqual([]);
  });
});

describe('a watch', () => {
  const watching = () => request({ verb: 'watch', path: { name: '' }, query: 'resourceVersion=7' });
  const expired =
    '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",' +
    '"message":"too old resource version: 7 (8)","reason":"Expired","code":410}}';

  test.each<[FaultRule, string[]]>([
    [{ fault: 'drop', afterEvents: 3 }, ['1', '2', '3', 'the connection was dropped']],
    [{ fault: 'drop', afterEvents: 0 }, ['the connection was dropped']],
    [{ fault: 'expired' }, [expired]],
    [{ fault: 'expired', afterEvents: 4 }, ['1', '2', '3', '4', expired]],
    [{ fault: 'stall', afterEvents: 3, forMs: 1 }, ['1', '2', '3', '4', '5']],
    [{ fault: 'drop', afterEvents: 9 }, ['1', '2', '3', '4', '5']],
  ])('%j: %s', async (rule, lines) => {
    const faults = newFaults();
    faults.add(rule);
    expect(await watchLines(faults, watching(), ['1\n2\n', '3\n4\n5\n'])).toEqual(lines);
  });

  test('is answered as other requests are where the fault comes before it', async () => {
    const faults = newFaults();
    faults.add({ fault: 'tooManyRequests', count: 1 });
    faults.add({ fault: 'drop' });
    expect(await send(faults, watching())).toBe('429');
    expect(await send(faults, watching())).toBe('the connection was dropped');
  });
});

describe('a rule that is wrong is refused with everything that is', () => {
  const kinds = '"conflict", "expired", "drop", "stall", "latency", "tooManyRequests", "error", "webhook"';
  test.each([
    [
      {},
      'fault: Required value: one of conflict, expired, drop, stall, latency, tooManyRequests, error, webhook',
    ],
    [{ fault: 'flood' }, `fault: Unsupported value: "flood": supported values: ${kinds}`],
    [{ fault: 'latency' }, 'delayMs: Required value'],
    [{ fault: 'error', code: 200 }, 'code: Invalid value: 200: must be greater than or equal to 400'],
    [
      { fault: 'drop', when: 'never' },
      'when: Unsupported value: "never": supported values: "before", "after"',
    ],
    [
      { fault: 'conflict', count: 0, probability: 2, seed: 1.5, often: true, match: { verb: 'get' } },
      '[match.verb: Forbidden: unknown field, count: Invalid value: 0: must be greater than or equal to 1, ' +
        'probability: Invalid value: 2: must be less than or equal to 1, ' +
        'seed: Invalid value: 1.5: must be an integer, often: Forbidden: unknown field]',
    ],
    [
      { fault: 'conflict', match: { verbs: ['create'], names: 'x' } },
      '[match.verbs[0]: Unsupported value: "create": supported values: "update", "patch", "delete", ' +
        'match.names: Invalid value: "x": must be a list of strings]',
    ],
    [{ fault: 'conflict', match: 'all' }, 'match: Invalid value: "all": must be an object'],
    [JSON.parse('{"fault": "error", "code": 500, "__proto__": 1}'), '__proto__: Forbidden: unknown field'],
  ])('%j', (rule, message) => {
    const faults = newFaults();
    expect(() => faults.addUnchecked(rule)).toThrow(`FaultRule "" is invalid: ${message}`);
    expect(faults.rules).toEqual([]);
  });

  test('and so is one more than there is room for', () => {
    const faults = newFaults();
    for (let count = 0; count < 1_000; count += 1) faults.add(error);
    expect(() => faults.add(error)).toThrow('there are 1000 rules already');
  });
});

test.each([
  ['latency', latencyKind, { delayMs: 3_600_000 }],
  ['stall', stallKind, {}],
  ['stall', stallKind, { forMs: 3_600_000 }],
] as const)('a request that %s holds leaves no listeners on its signals', async (_, kind, rule) => {
  const action = kind.read(new RuleReader(rule, []));
  const [removed, client] = [new AbortController(), new AbortController()];
  const signals = [removed.signal, client.signal];
  const listeners = () => signals.map((signal) => getEventListeners(signal, 'abort').length);
  const held = action.act({
    request: request({ signal: client.signal }),
    next: async () => ({ status: 200, headers: {}, body: Buffer.from('') }),
    random: () => 0.5,
    removed: removed.signal,
    watch: undefined,
  });
  expect(listeners()).toEqual([1, 1]);
  client.abort();
  await expect(held).rejects.toThrow(ConnectionDropped);
  expect(listeners()).toEqual([0, 0]);
});
