import { expect, test } from 'vitest';
import { seededRandom } from '../../src/meta/index.ts';
import type { Row } from '../src/objects/row.ts';
import { RowStore } from '../src/objects/row-store.ts';

const pageRows = 7;
const row = (key: string, isNew = false): Row => ({
  key,
  cells: [key],
  metadata: { name: key },
  changedMs: 0,
  isNew,
});
const sorted = (keys: Iterable<string>) => [...keys].sort();

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'pages of the past and events of now come to what there is (seed %i)',
  (seed) => {
    const random = seededRandom(seed);
    const pick = (below: number) => Math.floor(random() * below);
    const past = sorted(Array.from({ length: 60 }, () => `k${String(pick(200)).padStart(3, '0')}`)).filter(
      (key, at, all) => all[at - 1] !== key,
    );
    const now = new Set(past);
    const store = new RowStore();
    let loaded = 0;
    const load = (first: boolean) => {
      const page = past.slice(loaded, loaded + pageRows).map((key) => row(key));
      loaded += page.length;
      const rest = { isComplete: loaded === past.length, remaining: past.length - loaded };
      if (first) store.reset(page, rest);
      else store.append(page, rest);
    };
    load(true);
    for (let step = 0; step < 400; step += 1) {
      if (!store.isComplete && pick(20) === 0) load(false);
      const key = `k${String(pick(200)).padStart(3, '0')}`;
      const isThere = now.has(key);
      if (isThere && pick(2) === 0) {
        now.delete(key);
        store.apply([{ key, row: undefined }]);
      } else {
        now.add(key);
        store.apply([{ key, row: row(key, !isThere) }]);
      }
      const upTo = store.isComplete ? '~' : (past[loaded - 1] ?? '');
      expect(store.rows.map((one) => one.key)).toEqual(sorted(now).filter((one) => one <= upTo));
      expect(store.total).toBe(now.size);
    }
  },
);
