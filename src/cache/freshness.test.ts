import { expect, test } from 'vitest';
import { Freshness } from './freshness.ts';

/** A view at a revision, which counts the requests to the storage. */
function quietView(askEveryMs = 60_000) {
  const view = { revision: 1, asked: 0, isLoading: false };
  const freshness = new Freshness({
    current: () => view.revision,
    loading: { isUnderWay: () => view.isLoading, msMax: 20 },
    askProgress: () => {
      view.asked += 1;
    },
    askEveryMs,
  });
  const arrive = (revision: number) => {
    view.revision = revision;
    freshness.advanced(revision);
  };
  return { view, freshness, arrive };
}

test('waits for the same revision share one request', async () => {
  const { view, freshness, arrive } = quietView();
  const waits = [freshness.wait(2, {}), freshness.wait(2, {}), freshness.wait(1, {})];
  expect(view.asked).toBe(1);
  arrive(2);
  await Promise.all(waits);
});

test('a later revision is asked for at once, also in the same turn: the answer under way may not cover it', async () => {
  const { view, freshness, arrive } = quietView();
  const first = freshness.wait(2, {});
  arrive(2);
  await first;
  const second = freshness.wait(3, {});
  expect(view.asked).toBe(2);
  arrive(3);
  await second;
});

test('a question whose answer got lost is asked again', async () => {
  const { view, freshness, arrive } = quietView(1);
  const wait = freshness.wait(2, {});
  while (view.asked < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  arrive(2);
  await wait;
});

test('an answer that comes too late for its waiter does not keep the next one from asking', async () => {
  const { view, freshness, arrive } = quietView();
  await expect(freshness.wait(2, { timeoutMs: 1 })).rejects.toThrow();
  const next = freshness.wait(3, {});
  expect(view.asked).toBe(2);
  arrive(3);
  await next;
});

test('while the view is loading, its readers wait longer, but not indefinitely', async () => {
  const { view, freshness, arrive } = quietView();
  view.isLoading = true;
  await expect(freshness.wait(2, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'timeout' });
  let over = false;
  const loaded = freshness.wait(2, { timeoutMs: 19 }).finally(() => {
    over = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 25));
  expect(over).toBe(false);
  arrive(2);
  await loaded;
});
