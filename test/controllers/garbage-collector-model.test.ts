import { expect, test } from 'vitest';
import { Api, objectOf, quiet, until } from './api.ts';
import { crdOf } from '../fixtures/crd.ts';
import { randomFrom } from '../../src/cache/random.test-support.ts';

const things = '/apis/example.com/v1/namespaces/default/things';

type Owners = ReadonlyMap<string, readonly string[]>;

/** What is left when some objects were deleted in the background: each with the owners that are left. */
function survivors(owners: Owners, deleted: ReadonlySet<string>): Record<string, string[]> {
  const gone = new Set(deleted);
  for (let size = -1; size !== gone.size; ) {
    size = gone.size;
    for (const [name, its] of owners) {
      if (its.length > 0 && its.every((owner) => gone.has(owner))) gone.add(name);
    }
  }
  const left = [...owners].filter(([name]) => !gone.has(name));
  return Object.fromEntries(left.map(([name, its]) => [name, its.filter((owner) => !gone.has(owner))]));
}

async function present(api: Api): Promise<Record<string, string[]>> {
  const { items } = (await api.get(things)).body;
  const entries = items.map(
    ({ metadata }: { metadata: { name: string; ownerReferences?: { name: string }[] } }) => [
      metadata.name,
      (metadata.ownerReferences ?? []).map(({ name }) => name),
    ],
  );
  return Object.fromEntries(entries);
}

for (const seed of [1, 2, 3, 4]) {
  test(`what is left is what a living owner holds (seed ${seed})`, async () => {
    await using api = await Api.start({ crds: [crdOf('Thing')] });
    const { below: random } = randomFrom(seed);
    const owners = new Map<string, string[]>();
    const uids = new Map<string, string>();
    for (let n = 0; n < 60; n += 1) {
      const candidates = [...owners.keys()];
      const count = candidates.length === 0 ? 0 : random(3);
      const its = new Set(Array.from({ length: count }, () => candidates[random(candidates.length)] ?? ''));
      const ownerReferences = [...its].map((name) => ({
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        name,
        uid: uids.get(name),
      }));
      const name = `t${n}`;
      const created = await api.create(things, objectOf('Thing', name, { ownerReferences }));
      owners.set(name, [...its]);
      uids.set(name, created.metadata.uid);
    }
    const deleted = new Set(Array.from({ length: 12 }, () => `t${random(60)}`));
    await Promise.all([...deleted].map((name) => api.call('DELETE', `${things}/${name}`)));
    const expected = survivors(owners, deleted);
    await until(async () => JSON.stringify(await present(api)) === JSON.stringify(sorted(expected)));
    await quiet();
    expect(await present(api)).toEqual(expected);
    expect(api.troubles).toEqual([]);
  });
}

/** In the order of a list. */
function sorted(record: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
