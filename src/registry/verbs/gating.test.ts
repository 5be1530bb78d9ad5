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
import { plot, Plots } from './plots.test-support.ts';

/** Admission may change objects, and then the gates act after it; else before owners are computed. Both must agree. */

const rows = (enabled: boolean) => ({
  featureGates: [{ name: 'Rows', preRelease: 'alpha', enabled, fieldPaths: ['.spec.rows'] }],
});
const spec = (fields: JsonObject, name = 'a') => plot(name, { spec: fields });

/** Writes seven rows into everything, if told so. */
const sower: AdmissionPlugin = {
  name: 'Sower',
  handles: () => true,
  async admit(attributes) {
    const { object = {} } = attributes;
    const fields = ownObject(object, 'spec');
    if (fields?.['sow'] === true) attributes.replaceObject({ ...object, spec: { ...fields, rows: 7 } });
  },
};
/** Says that it may change objects, and does not. */
const mutating: AdmissionPlugin = { name: 'Mutating', handles: () => true, async admit() {} };

const warning = (what: string) => `Plot spec.rows: ${what} (feature gate Rows is disabled)`;

/** Who owns `.spec.rows`. */
function owners(object: KubeObject): unknown[] {
  const entries = (ownList(metadataOf(object), 'managedFields') ?? []).filter(isObject);
  return entries
    .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1 ?? null).includes('"f:rows"'))
    .map(({ manager }) => manager);
}

describe('what mutating admission sets', () => {
  test('is dropped where the gate is disabled, and owned by nobody', async () => {
    await using plots = new Plots(rows(false), [sower]);
    const created = await plots.create(spec({ sow: true }));
    expect(created['spec']).toEqual({ sow: true });
    expect(owners(created)).toEqual([]);
    const patched = await plots.patch('merge', { spec: { crop: 'peas' } }, 'a');
    expect(patched.body['spec']).toEqual({ sow: true, crop: 'peas' });
    expect(patched.warnings).toEqual([warning('dropped')]);
  });

  test('changes nothing that is there already', async () => {
    await using plots = new Plots(rows(true), [sower]);
    await plots.create(spec({ rows: 3 }), { fieldManager: 'first' });
    plots.become(rows(false));
    const { body, warnings } = await plots.patch('merge', { spec: { sow: true } }, 'a');
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
  test('drop what nobody comes to own', async () => {
    await using plots = new Plots(rows(false), plugins);
    const created = await plots.create(spec({ rows: 3, crop: 'peas' }));
    expect(created['spec']).toEqual({ crop: 'peas' });
    expect(owners(created)).toEqual([]);
    const { body } = await plots.put({ ...created, spec: { rows: 4, crop: 'beans' } }, 'a');
    expect(body['spec']).toEqual({ crop: 'beans' });
    expect(owners(body)).toEqual([]);
  });

  test('give back a field to its owner, and leave no trace of a write that they undid', async () => {
    await using plots = new Plots(rows(true), plugins);
    await plots.create(spec({ rows: 3 }), { fieldManager: 'first' });
    await plots.patch('merge', { spec: { crop: 'peas' } }, 'a', { fieldManager: 'second' });
    plots.nowMs = 60_000;
    await plots.patch('merge', { spec: { crop: 'beans' } }, 'a', { fieldManager: 'first' });
    plots.become(rows(false));
    const before = await plots.get('a');
    plots.nowMs = 120_000;
    for (const fieldManager of ['first', 'second', 'third']) {
      const { body, warnings } = await plots.patch('merge', { spec: { rows: 9 } }, 'a', { fieldManager });
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
      await plots.patch('merge', { spec: { crop: 'beans' } }, 'a');
    };
    await using plots = new Plots(rows(true), [...plugins, { name: 'Racer', handles: () => true, validate }]);
    await plots.create(spec({ rows: 3 }));
    plots.become(rows(false));
    race.on = true;
    const { body, warnings } = await plots.patch('merge', { spec: { rows: 9, size: 1 } }, 'a');
    expect(body['spec']).toEqual({ rows: 3, crop: 'beans', size: 1 });
    expect(warnings).toEqual([warning('unchanged')]);
  });
});

test('what another version writes is gated as the storage version has it', async () => {
  const both = { versions: ['v1', 'v1beta1'] };
  await using plots = new Plots({ ...rows(true), ...both });
  await plots.create(spec({ rows: 3 }), { fieldManager: 'first' });
  plots.become({ ...rows(false), ...both });
  const before = await plots.get('a');
  const { body } = await plots.patch('merge', { spec: { rows: 9 } }, 'a', { version: 'v1beta1' });
  expect({ ...body, apiVersion: before['apiVersion'] }).toEqual(before);
});
