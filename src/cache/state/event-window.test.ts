import { describe, expect, test } from 'vitest';
import { createMemoryStore, type Store } from '../../storage/index.ts';
import { color, paint, prefix, read, readyWidgets, subscribe } from '../widgets.test-support.ts';
import type { LiveView } from '../index.ts';
import type { Interest, DispatchIndex } from '../dispatch/dispatch-index.ts';
import type { Change } from '../entries/change.ts';

async function paintSeen(view: LiveView<string>, store: Store, to: string) {
  await view.atLeast(await paint(store, 'a/1', to), { timeoutMs: 5_000 });
}

describe('the window', () => {
  test('drops what is older than windowMs when something new comes', async () => {
    const store = createMemoryStore();
    let now = 0;
    await using view = await readyWidgets(store, { clock: { now: () => now }, windowMs: 1_000 });
    await paintSeen(view, store, 'blue');
    now = 600;
    await paintSeen(view, store, 'red');
    expect(view.oldestRevision).toBe(1);
    now = 1_500;
    await paintSeen(view, store, 'green');
    expect(view.oldestRevision).toBe(2);
    expect(color(view.snapshotAt(2).get(`${prefix}a/1`))).toBe('blue');
  });

  test('drops the oldest above a number of changes', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store, { windowEventsMax: 3 });
    for (let at = 0; at < 10; at += 1) await paintSeen(view, store, `shade ${at}`);
    expect([view.oldestRevision, view.revision]).toEqual([8, 11]);
  });

  test('drops the oldest above a number of bytes that only it still holds', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store, { windowBytesMax: 2_000 });
    for (let at = 0; at < 10; at += 1) await paintSeen(view, store, 'x'.repeat(900));
    expect([view.oldestRevision, view.revision]).toEqual([9, 11]);
  });

  test('a state is exact also across the states that are kept for a shorter way back', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store);
    for (let at = 0; at < 9_000; at += 1) await paint(store, `a/${at % 7}`, `shade ${at}`);
    await view.consistent({ timeoutMs: 5_000 });
    for (const revision of [2, 100, 4_096, 4_097, 4_098, 8_192, 8_200, 9_000]) {
      const latest = revision - 2;
      expect(color(view.snapshotAt(revision).get(`${prefix}a/${latest % 7}`))).toBe(`shade ${latest}`);
      expect(view.snapshotAt(revision)).toBe(view.snapshotAt(revision));
    }
  });

  test('encoded frames are kept for the newest changes only', async () => {
    const store = createMemoryStore();
    await using view = await readyWidgets(store, { queueEventsMax: 2 });
    await paintSeen(view, store, 'blue');
    const [event] = (await subscribe(view, { after: 1 }).next()).value ?? [];
    event?.frames.set('v1/json', new Uint8Array(3));
    await paintSeen(view, store, 'red');
    await paintSeen(view, store, 'green');
    await paintSeen(view, store, 'white');
    expect(event?.frames.size).toBe(0);
  });
});

describe('an index of the room above', () => {
  /** Finds watchers of one color by the old and the new color of a change. */
  class ColorIndex implements DispatchIndex<string> {
    readonly #byColor = new Map<string, Set<Interest<string>>>();
    offers = 0;

    add(interest: Interest<string>): boolean {
      if (typeof interest.indexedValues !== 'string') return false;
      const others = this.#byColor.get(interest.indexedValues) ?? new Set();
      this.#byColor.set(interest.indexedValues, others.add(interest));
      return true;
    }

    delete(interest: Interest<string>): void {
      for (const interests of this.#byColor.values()) interests.delete(interest);
    }

    dispatch(change: Change<string>): void {
      const colors = new Set([color(change.entry), color(change.previous)]);
      for (const one of colors) {
        for (const interest of this.#byColor.get(one ?? '') ?? []) {
          this.offers += 1;
          interest.offer(change);
        }
      }
    }
  }

  test('is asked first, and a change costs nothing for the watchers that it does not find', async () => {
    const store = createMemoryStore();
    const index = new ColorIndex();
    await using view = await readyWidgets(store, { dispatchIndexes: [index] });
    const blue = subscribe(view, { indexedValues: 'blue', matches: (entry) => color(entry) === 'blue' });
    const all = subscribe(view);
    for (const subscription of [blue, all]) {
      subscription.requestBookmark();
      await subscription.next();
    }
    for (const to of ['red', 'green', 'blue', 'red', 'white']) await paintSeen(view, store, to);
    expect(await read(blue, 2)).toEqual(['ADDED a/1=blue @4', 'DELETED a/1=blue @5']);
    expect((await read(all, 5)).length).toBe(5);
    expect(index.offers).toBe(2);
  });
});
