import { expect, test } from 'vitest';
import { createMemoryStore } from '../../storage/index.ts';
import { ConfigurationWrites } from './configuration-writes.ts';
import { SharedRevisions } from './shared-revisions.ts';

/** A configuration that has seen everything up to a revision, which a test moves. */
function configurationOf(prefix: string) {
  const waits: (() => void)[] = [];
  const configuration = {
    prefix,
    revision: 1,
    shows: (revision: number) => configuration.revision >= revision,
    atLeast: (revision: number) =>
      new Promise<void>((resolve) => {
        waits.push(() => configuration.revision >= revision && resolve());
      }),
    sees(revision: number) {
      configuration.revision = revision;
      for (const check of waits) check();
    },
  };
  return configuration;
}

/** Two threads: one writes, the other waits. */
function threads() {
  const memory = SharedRevisions.memory(2);
  const [policies, quotas] = [configurationOf('/policies/'), configurationOf('/quotas/')];
  const writesOf = () => new ConfigurationWrites([policies, quotas], new SharedRevisions(memory));
  const store = writesOf().observe(createMemoryStore());
  const write = (key: string) => store.commit({ key, value: Buffer.from('x'), expect: 0 });
  return { policies, quotas, other: writesOf(), write };
}

test('a thread that has seen all configuration need not wait, whatever else is written', async () => {
  const { other, write } = threads();
  expect(other.caughtUp()).toBeUndefined();
  await write('/pods/a');
  expect(other.caughtUp()).toBeUndefined();
});

test('a thread waits until it has seen what another one has written', async () => {
  const { other, policies, quotas, write } = threads();
  await write('/policies/a');
  await write('/pods/a');
  await write('/quotas/a');
  let isCaughtUp = false;
  const waiting = other.caughtUp()?.then(() => (isCaughtUp = true));
  expect(waiting).toBeDefined();
  policies.sees(2);
  quotas.sees(3);
  await new Promise(setImmediate);
  expect(isCaughtUp).toBe(false);
  quotas.sees(4);
  await waiting;
  expect(other.caughtUp()).toBeUndefined();
});

test('a write that was refused is not waited for', async () => {
  const { other, policies, write } = threads();
  await write('/policies/a');
  policies.sees(2);
  expect((await write('/policies/a')).ok).toBe(false);
  expect(other.caughtUp()).toBeUndefined();
});
