import { describe, expect, test } from 'vitest';
import { Auditor } from './auditor.ts';
import type { AuditBackend } from './backend.ts';
import { AuditPolicy, type AuditStage } from './policy.ts';

const policy = AuditPolicy.parse(`apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- {level: None, users: [bob]}
- {level: Request, omitStages: [RequestReceived]}
`);
const request = { auditId: 'id', requestUri: '/', sourceIps: [], userAgent: '', receivedMs: 0 };
const by = (name: string) => ({ user: { name, groups: [] }, verb: 'get', path: '/', resource: undefined });

/** An auditor with these backends; errors are collected in a list. */
function auditor(...writes: AuditBackend['write'][]) {
  const trouble: unknown[] = [];
  const backends = writes.map((write) => ({ write, close: async () => {} }));
  const onTrouble = (error: unknown) => void trouble.push(error);
  return { trouble, auditor: new Auditor({ policy, backends, clock: { now: () => 0 }, onTrouble }) };
}

test('a request that the policy leaves out has no trail', () => {
  expect(auditor().auditor.follow(request, by('bob'))).toBeUndefined();
  const trail = auditor().auditor.follow(request, by('alice'));
  expect([trail?.keepsRequest, trail?.keepsResponse]).toEqual([true, false]);
});

test('an omitted stage is not written', () => {
  const written: string[] = [];
  const trail = auditor((events) => void written.push(...events)).auditor.follow(request, by('alice'));
  expect(trail?.reach('RequestReceived')).toBe(true);
  expect(trail?.reach('ResponseComplete')).toBe(true);
  expect(written.map((text) => JSON.parse(text).stage)).toEqual(['ResponseComplete']);
});

test('the first value of an annotation counts', () => {
  const written: string[] = [];
  const trail = auditor((events) => void written.push(...events)).auditor.follow(request, by('alice'));
  trail?.annotate('decision', 'allow');
  trail?.annotate('decision', 'forbid');
  trail?.reach('ResponseComplete');
  expect(JSON.parse(written[0] ?? '').annotations).toEqual({ decision: 'allow' });
});

test.each<[string, AuditBackend['write'][], boolean]>([
  ['all backends write', [() => {}, async () => {}], true],
  ['one throws', [() => {}, () => fail()], false],
  ['one rejects', [async () => fail(), () => {}], false],
])('%s', async (_, writes, expected) => {
  const { auditor: one, trouble } = auditor(...writes);
  expect(await one.follow(request, by('alice'))?.reach('ResponseComplete')).toBe(expected);
  expect(trouble).toEqual(expected ? [] : [new Error('disk full')]);
});

test('backends that write synchronously delay no response', () => {
  expect(
    auditor(() => {})
      .auditor.follow(request, by('alice'))
      ?.reach('ResponseComplete'),
  ).toBe(true);
});

describe('the event of the arrival', () => {
  const all = AuditPolicy.parse('{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}');

  /** A trail whose backend fails or succeeds when the test says so. */
  function trailInto(isForgiving: boolean) {
    const settle: { resolve: () => void; reject: (error: Error) => void }[] = [];
    const write = () => new Promise<void>((resolve, reject) => void settle.push({ resolve, reject }));
    const backends = [{ isForgiving, write, close: async () => {} }];
    const options = { policy: all, backends, clock: { now: () => 0 }, onTrouble: () => {} };
    const trail = new Auditor(options).follow(request, by('alice'));
    return { settle, reach: (stage: AuditStage) => trail?.reach(stage) };
  }

  test('is waited for where the backend may refuse the request', async () => {
    const { settle, reach } = trailInto(false);
    const reached = reach('RequestReceived');
    settle[0]?.reject(new Error('disk full'));
    expect(await reached).toBe(false);
  });

  test('is waited for with the event of the answer where the backend is forgiving', async () => {
    const { settle, reach } = trailInto(true);
    expect(reach('RequestReceived')).toBe(true);
    let isAnswered = false;
    const answered = Promise.resolve(reach('ResponseComplete')).then((written) => {
      isAnswered = true;
      return written;
    });
    settle[1]?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    settle[0]?.resolve();
    expect(await answered).toBe(true);
  });
});

function fail(): never {
  throw new Error('disk full');
}
