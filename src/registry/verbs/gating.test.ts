import { describe, expect, test } from 'vitest';
import type { AdmissionPlugin } from '../../admission/index.ts';
import {
  isObject,
  type JsonObject,
  ownList,
  ownObject,
  metadataOf,
  type KubeObject,
} from '../../meta/index.ts';
import { widget, Widgets } from './widgets.test-support.ts';

/** If admission may change objects, the gates act after it, otherwise before owners are computed. Both must agree. */

const rows = (enabled: boolean) => ({
  featureGates: [{ name: 'Rows', preRelease: 'alpha', enabled, fieldPaths: ['.spec.rows'] }],
});
const spec = (fields: JsonObject, name = 'a') => widget(name, { spec: fields });

/** Adds seven rows to every object, if enabled. */
const sower: AdmissionPlugin = {
  name: 'Sower',
  handles: () => true,
  async admit(attributes) {
    const { object = {} } = attributes;
    const fields = ownObject(object, 'spec');
    if (fields?.['sow'] === true) attributes.replaceObject({ ...object, spec: { ...fields, rows: 7 } });
  },
};
/** Declares that it may change objects, and does not. */
const mutating: AdmissionPlugin = { name: 'Mutating', handles: () => true, async admit() {} };

const warning = (what: string) => `Widget spec.rows: ${what} (feature gate Rows is disabled)`;

/** The owners of `.spec.rows`. */
function owners(object: KubeObject): unknown[] {
  const entries = (ownList(metadataOf(object), 'managedFields') ?? []).filter(isObject);
  return entries
    .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1 ?? null).includes('"f:rows"'))
    .map(({ manager }) => manager);
}

describe('what mutating admission sets', () => {
  test('is dropped if the gate is disabled, and has no owner', async () => {
    await using widgets = new Widgets(rows(false), [sower]);
    const created = await widgets.create(spec({ sow: true }));
    expect(created['spec']).toEqual({ sow: true });
    expect(owners(created)).toEqual([]);
    const patched = await widgets.patch('merge', { spec: { crop: 'peas' } }, 'a');
    expect(patched.body['spec']).toEqual({ sow: true, crop: 'peas' });
    expect(patched.warnings).toEqual([warning('dropped')]);
  });

  test('changes nothing that is there already', async () => {
    await using widgets = new Widgets(rows(true), [sower]);
    await widgets.create(spec({ rows: 3 }), { fieldManager: 'first' });
    widgets.become(rows(false));
    const { body, warnings } = await widgets.patch('merge', { spec: { sow: true } }, 'a');
    expect({ spec: body['spec'], warnings }).toEqual({
      spec: { rows: 3, sow: true },
      warnings: [warning('unchanged')],
    });
    expect(owners(body)).toEqual(['first']);
  });
});

describe.each([
  ['before owners are computed', []],
  ['after admission', [mutating]],
])('gates that act %s', (_, plugins) => {
  test('drop fields that get no owner', async () => {
    await using widgets = new Widgets(rows(false), plugins);
    const created = await widgets.create(spec({ rows: 3, crop: 'peas' }));
    expect(created['spec']).toEqual({ crop: 'peas' });
    expect(owners(created)).toEqual([]);
    const { body } = await widgets.put({ ...created, spec: { rows: 4, crop: 'beans' } }, 'a');
    expect(body['spec']).toEqual({ crop: 'beans' });
    expect(owners(body)).toEqual([]);
  });

  test('give back a field to its owner, and leave no trace of a write that they undid', async () => {
    await using widgets = new Widgets(rows(true), plugins);
    await widgets.create(spec({ rows: 3 }), { fieldManager: 'first' });
    await widgets.patch('merge', { spec: { crop: 'peas' } }, 'a', { fieldManager: 'second' });
    widgets.nowMs = 60_000;
    await widgets.patch('merge', { spec: { crop: 'beans' } }, 'a', { fieldManager: 'first' });
    widgets.become(rows(false));
    const before = await widgets.get('a');
    widgets.nowMs = 120_000;
    for (const fieldManager of ['first', 'second', 'third']) {
      const { body, warnings } = await widgets.patch('merge', { spec: { rows: 9 } }, 'a', { fieldManager });
      expect(warnings).toEqual([warning('unchanged')]);
      expect(body).toEqual(before);
    }
    expect(owners(before)).toEqual(['first']);
  });

  test('warn once of an attempt that another writer overtook', async () => {
    const race = { on: false };
    const validate = async () => {
      if (!race.on) return;
      race.on = false;
      await widgets.patch('merge', { spec: { crop: 'beans' } }, 'a');
    };
    await using widgets = new Widgets(rows(true), [
      ...plugins,
      { name: 'Racer', handles: () => true, validate },
    ]);
    await widgets.create(spec({ rows: 3 }));
    widgets.become(rows(false));
    race.on = true;
    const { body, warnings } = await widgets.patch('merge', { spec: { rows: 9, size: 1 } }, 'a');
    expect(body['spec']).toEqual({ rows: 3, crop: 'beans', size: 1 });
    expect(warnings).toEqual([warning('unchanged')]);
  });
});

test('what another version writes is gated as the storage version has it', async () => {
  const both = { versions: ['v1', 'v1beta1'] };
  await using widgets = new Widgets({ ...rows(true), ...both });
  await widgets.create(spec({ rows: 3 }), { fieldManager: 'first' });
  widgets.become({ ...rows(false), ...both });
  const before = await widgets.get('a');
  const { body } = await widgets.patch('merge', { spec: { rows: 9 } }, 'a', { version: 'v1beta1' });
  expect({ ...body, apiVersion: before['apiVersion'] }).toEqual(before);
});
