import { expect, test } from 'vitest';
import { type JsonObject, ownObject } from '../../src/meta/index.ts';
import { collection, mergePatch, scale, startWidgets } from '../fixtures/scalable-widgets.ts';
import { widgetOf } from '../fixtures/widgets.ts';

const writers = 6;
const rounds = 8;
const path = `${collection}/busy`;
const count = Array.from({ length: writers }, (_, index) => index);

/** Everybody at once, each one round after the other. */
async function everyone(write: (writer: number, round: number) => Promise<void>): Promise<void> {
  await Promise.all(
    count.map(async (writer) => {
      for (let round = 1; round <= rounds; round += 1) await write(writer, round);
    }),
  );
}

test('patches of the spec, the status and the scale at the same time lose nothing of each other', async () => {
  await using widgets = await startWidgets();
  const patch = async (where: string, value: JsonObject) =>
    expect((await widgets.call('PATCH', where, value, mergePatch)).code).toBe(200);
  await widgets.call('POST', collection, widgetOf('busy', { spec: { rows: 0 } }));
  await Promise.all([
    everyone((writer, round) => patch(path, { metadata: { labels: { [`spec-${writer}`]: `${round}` } } })),
    everyone((writer, round) => patch(`${path}/status`, { status: { seen: { [`w${writer}`]: round } } })),
    everyone((writer, round) => patch(`${path}/scale`, { spec: { replicas: writer * 1000 + round } })),
  ]);
  const { body } = await widgets.call('GET', path);
  expect(body.metadata.labels).toEqual(
    Object.fromEntries(count.map((writer) => [`spec-${writer}`, `${rounds}`])),
  );
  expect(body.status.seen).toEqual(Object.fromEntries(count.map((writer) => [`w${writer}`, rounds])));
  expect(count.map((writer) => writer * 1000 + rounds)).toContain(body.spec.rows);
});

test('increments with a lock, retried on conflict, all count: on both endpoints and on the scale', async () => {
  await using widgets = await startWidgets();
  await widgets.call('POST', collection, widgetOf('busy', { spec: { rows: 0, plants: '0' } }));
  await widgets.call('PATCH', `${path}/status`, { status: { rows: 0 } }, mergePatch);

  const increment = async (where: string, change: (object: JsonObject) => JsonObject) => {
    for (;;) {
      const { body } = await widgets.call('GET', where);
      const { code } = await widgets.call('PUT', where, change(body));
      if (code === 200) return;
      expect(code).toBe(409);
    }
  };
  const raised = (object: JsonObject, part: string, field: string) => {
    const values = ownObject(object, part) ?? {};
    const next = Number(values[field] ?? 0) + 1;
    return { ...object, [part]: { ...values, [field]: field === 'plants' ? `${next}` : next } };
  };
  await Promise.all([
    everyone(() => increment(`${path}/status`, (object) => raised(object, 'status', 'rows'))),
    everyone(() => increment(`${path}/scale`, (object) => raised(object, 'spec', 'replicas'))),
    everyone(() => increment(path, (object) => raised(object, 'spec', 'plants'))),
  ]);
  const { body } = await widgets.call('GET', path);
  const all = writers * rounds;
  expect(body.spec).toEqual({ rows: all, plants: String(all) });
  expect(body.status).toEqual({ rows: all });
  expect(body.metadata.generation).toBe(1 + 2 * all);
});

test('unconditional Scales never conflict with other writers', async () => {
  await using widgets = await startWidgets();
  await widgets.call('POST', collection, widgetOf('busy', { spec: { rows: 0 } }));
  const label = async () => {
    for (let round = 1; round <= 60; round += 1) {
      const patch = { metadata: { labels: { round: `${round}` } } };
      expect((await widgets.call('PATCH', path, patch, mergePatch)).code).toBe(200);
    }
  };
  const rescale = async () => {
    for (let replicas = 1; replicas <= 60; replicas += 1) {
      const { body } = await widgets.call('PUT', `${path}/scale`, scale('busy', replicas));
      expect(body.spec).toEqual({ replicas });
    }
  };
  await Promise.all([label(), rescale()]);
  const { body } = await widgets.call('GET', path);
  expect([body.metadata.labels.round, body.spec.rows]).toEqual(['60', 60]);
});
