import { expect, test } from 'vitest';
import { conflictError, unavailableError } from '../../meta/index.ts';
import { StoreError } from '../../storage/index.ts';
import { attemptFromCache } from './attempt-from-cache.ts';
import { type RequestEffects, takeEffect, Warnings } from './context.ts';
import { storeCall } from './store-call.ts';

/** Runs a write first from the cache and, if that is undefined, from the latest state; counts its effects. */
async function run(attempts: readonly ((effects: RequestEffects) => Promise<string>)[]) {
  const warnings = new Warnings();
  let count = 0;
  const effective = (attempt: (typeof attempts)[number]) => (effects: RequestEffects) => {
    effects.warnings.add('dropped');
    takeEffect(effects, () => {
      count += 1;
    });
    return attempt(effects);
  };
  const [first, second] = attempts.map(effective);
  const fromCache = first && (await attemptFromCache({ warnings }, first).catch((error) => String(error)));
  const outcome = fromCache ?? (second && (await second({ warnings }).catch((error) => String(error))));
  return { outcome, count, warnings: warnings.list() };
}

const refuse = async () => Promise.reject(conflictError({ group: '', resource: 'things' }, 'a', 'no'));
const conflict = 'Operation cannot be fulfilled on things "a": no';

test('the effects of a write that is run twice take place once', async () => {
  const done = async () => 'done';
  expect(await run([done])).toEqual({ outcome: 'done', count: 1, warnings: ['dropped'] });
  expect(await run([refuse, done])).toEqual({ outcome: 'done', count: 1, warnings: ['dropped'] });
  const refused = { outcome: expect.stringContaining(conflict), count: 1, warnings: ['dropped'] };
  expect(await run([refuse, refuse])).toEqual(refused);
});

test('what the storage itself refuses is not run again', async () => {
  const away = () => storeCall(async () => Promise.reject(new StoreError('unavailable', 'no etcd')));
  const error = await storeCall(async () => Promise.reject(new StoreError('unavailable', 'no etcd'))).catch(
    (one) => one,
  );
  expect(error).toBeInstanceOf(unavailableError('', 1).constructor);
  const outcome = await run([away, async () => 'never']);
  expect(outcome).toEqual({ outcome: String(error), count: 1, warnings: ['dropped'] });
});
