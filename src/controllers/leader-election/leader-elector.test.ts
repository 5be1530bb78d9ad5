import { expect, test } from 'vitest';
import { conflictError } from '../../meta/index.ts';
import { LeaderElector } from './leader-elector.ts';
import type { HeldRecord, LeaderRecord, LeaseLock } from './lease-lock.ts';

/** A Lease in memory, which refuses all writes while it is cut off. */
class MemoryLock {
  held: HeldRecord | undefined;
  isCutOff = false;
  calls = 0;
  #version = 0;

  /** As the elector takes it. */
  get lock(): LeaseLock {
    const { get, create, update } = this;
    const methods: Pick<LeaseLock, 'get' | 'create' | 'update'> = {
      get: get.bind(this),
      create: create.bind(this),
      update: update.bind(this),
    };
    return methods as LeaseLock; // It has nothing else that is public.
  }

  async get(): Promise<HeldRecord | undefined> {
    this.calls += 1;
    if (this.isCutOff) throw new Error('unreachable');
    return this.held;
  }

  async create(record: LeaderRecord): Promise<HeldRecord> {
    return this.update(record, undefined);
  }

  async update(record: LeaderRecord, before: HeldRecord | undefined): Promise<HeldRecord> {
    this.calls += 1;
    if (this.isCutOff) throw new Error('unreachable');
    if (before?.resourceVersion !== this.held?.resourceVersion)
      throw conflictError({ group: '', resource: 'leases' }, 'a', 'changed');
    this.held = { record, resourceVersion: `${(this.#version += 1)}` };
    return this.held;
  }
}

/** A candidate with short times; `log` tells when it leads. The clock is moved by hand. */
function candidate(identity: string, lock: MemoryLock, clock: { ms: number }, log: string[]) {
  return new LeaderElector({
    lock: lock.lock,
    identity,
    clock: { now: () => clock.ms },
    random: () => 0,
    timing: { leaseMs: 1_000, renewDeadlineMs: 600, retryMs: 1 },
    lead: async (signal) => {
      log.push(`${identity} leads`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      log.push(`${identity} ends`);
    },
    onTrouble: () => {},
  });
}

/** Resolves when the candidates have tried a few times more. */
async function severalTries(lock: MemoryLock): Promise<void> {
  const before = lock.calls;
  await expect.poll(() => lock.calls, { interval: 1 }).toBeGreaterThan(before + 4);
}

test('one leads, and when it closes the other one need not wait', async () => {
  const [lock, clock, log]: [MemoryLock, { ms: number }, string[]] = [new MemoryLock(), { ms: 0 }, []];
  const a = candidate('a', lock, clock, log);
  await expect.poll(() => log, { interval: 1 }).toEqual(['a leads']);
  const b = candidate('b', lock, clock, log);
  await a.close();
  await expect.poll(() => log, { interval: 1 }).toEqual(['a leads', 'a ends', 'b leads']);
  expect(lock.held?.record).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  await b.close();
  expect(lock.held?.record.holderIdentity).toBe('');
});

test('a leader that cannot renew ends before another one may lead', async () => {
  const [lock, clock, log]: [MemoryLock, { ms: number }, string[]] = [new MemoryLock(), { ms: 0 }, []];
  const a = candidate('a', lock, clock, log);
  await expect.poll(() => log, { interval: 1 }).toEqual(['a leads']);
  lock.isCutOff = true;
  clock.ms = 599;
  await severalTries(lock);
  expect(log).toEqual(['a leads']);
  clock.ms = 1_300;
  await expect.poll(() => log, { interval: 1 }).toEqual(['a leads', 'a ends']);
  await a.close();
});

test('a silent leader is followed after its lease, measured from when it was seen', async () => {
  const [lock, clock, log]: [MemoryLock, { ms: number }, string[]] = [new MemoryLock(), { ms: 50_000 }, []];
  const silent = {
    holderIdentity: 'silent',
    leaseDurationSeconds: 1,
    acquireTime: 'x',
    renewTime: '1970-01-01T00:00:00.000000Z',
    leaseTransitions: 4,
  };
  await lock.create(silent);
  const b = candidate('b', lock, clock, log);
  await severalTries(lock);
  expect(log).toEqual([]);
  clock.ms = 51_001;
  await expect.poll(() => log, { interval: 1 }).toEqual(['b leads']);
  expect(lock.held?.record).toMatchObject({ holderIdentity: 'b', leaseTransitions: 5 });
  await b.close();
});
