import { expect, test } from 'vitest';
import { AdmissionChain, type AdmissionAttributes, type AdmissionPlugin } from '../../admission/index.ts';
import { compileResourceType } from '../../crd/index.ts';
import {
  badRequestError,
  defaultFeatureGates,
  defaultSelectorOptions,
  type KubeObject,
  ownObject,
} from '../../meta/index.ts';
import { RuleEnvironments, SchemaCache } from '../../schema/index.ts';

import { createMemoryStore } from '../../storage/index.ts';
import { Warnings } from '../request/context.ts';
import { renamingConverter } from '../representation/convert.ts';
import { createObject } from './create.ts';
import { customResourceStrategy } from '../../kinds/index.ts';
import { FieldManagement } from '../resource/field-management.ts';
import { GateCounts } from '../write/gate-counts.ts';
import { Filters } from '../filter/filters.ts';
import { getObject } from './get.ts';
import { Resource } from '../resource/resource.ts';
import { objectTargetOf, targetOf } from '../resource/target.ts';
import { getScale, patchScale, updateScale } from './scale.ts';

const gates = defaultFeatureGates();
const scalePaths = { specReplicasPath: '.spec.rows', statusReplicasPath: '.status.rows' };
const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const crd = {
  metadata: { name: 'widgets.example.com', uid: '1' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema },
        subresources: { scale: scalePaths },
      },
    ],
  },
};

/** A cluster-scoped widget with three rows, with these admission plugins. */
async function newWidget(plugins: readonly AdmissionPlugin[]) {
  const store = createMemoryStore();
  const clock = { now: () => 0 };
  const parts = {
    store,
    clock,
    random: (bytes: number) => new Uint8Array(bytes),
    admission: new AdmissionChain(plugins),
    gateCounts: new GateCounts(),
  };
  const type = compileResourceType(crd, { gates, schemas: new SchemaCache({ gates }) });
  const converter = renamingConverter(type);
  const rules = { type, strategy: customResourceStrategy, converter, fields: new FieldManagement(type) };
  const filters = new Filters(() => new RuleEnvironments({ major: 1, minor: 35 }).forNew, clock);
  const resource = new Resource(rules, { store, clock, selectors: defaultSelectorOptions, filters });
  const { epoch, changes } = resource;
  const target = targetOf({ resource, type, version: type.storageVersion, epoch, changes }, '');
  const one = objectTargetOf(target, 'a', 'scale');
  const context = {
    user: { name: 'me', groups: [] },
    fieldManager: 'me',
    signal: new AbortController().signal,
    warnings: new Warnings(),
  };
  const options = { dryRun: false, fieldManager: 'me', fieldValidation: 'Strict', force: false } as const;
  const value = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { rows: 3 } };
  await createObject(parts, { target, body: { value }, options, context });
  const request = { target: one, options, context };
  const close = async () => {
    await resource.close();
    await store.close();
  };
  return {
    put: (scale: KubeObject) => updateScale(parts, { ...request, body: { value: scale } }),
    merge: (patch: KubeObject) =>
      patchScale(parts, { ...request, type: 'merge', bytes: Buffer.from(JSON.stringify(patch)) }),
    rows: async () =>
      ownObject((await getObject(parts, { ...request, resourceVersion: '' })).object(), 'spec'),
    read: async () => (await getScale(parts, { ...request, resourceVersion: '' })).object(),
    [Symbol.asyncDispose]: close,
  };
}

const scale = (replicas: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a' },
  spec: { replicas },
});

test('admission sees the old and the new Scale, not the object', async () => {
  const seen: [string, AdmissionAttributes][] = [];
  const watch = (moment: string) => async (attributes: AdmissionAttributes) => {
    if (attributes.operation === 'UPDATE') seen.push([moment, attributes]);
  };
  await using widget = await newWidget([
    { name: 'Seer', handles: () => true, admit: watch('admit'), validate: watch('validate') },
  ]);
  await widget.put(scale(5));
  expect(seen.map(([moment]) => moment)).toEqual(['admit', 'validate']);
  for (const [, attributes] of seen) {
    expect(attributes).toMatchObject({
      operation: 'UPDATE',
      resource: { group: 'example.com', resource: 'widgets' },
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      subresource: 'scale',
      name: 'a',
      object: { kind: 'Scale', spec: { replicas: 5 } },
      oldObject: { kind: 'Scale', spec: { replicas: 3 } },
    });
  }
});

test('what admission makes of a Scale is what counts', async () => {
  const cap: AdmissionPlugin = {
    name: 'AtMostFour',
    handles: ({ subresource }) => subresource === 'scale',
    admit: async (attributes) => {
      const { object = {} } = attributes;
      const spec = ownObject(object, 'spec') ?? {};
      if (Number(spec['replicas']) > 4)
        attributes.replaceObject({ ...object, spec: { ...spec, replicas: 4 } });
    },
  };
  await using widget = await newWidget([cap]);
  const { responseObject } = await widget.merge({ spec: { replicas: 9 } });
  expect(responseObject.object()['spec']).toEqual({ replicas: 4 });
  expect(await widget.rows()).toEqual({ rows: 4 });
});

test('admission can refuse a Scale', async () => {
  const refuse: AdmissionPlugin = {
    name: 'NeverScale',
    handles: ({ subresource }) => subresource === 'scale',
    validate: async () => {
      throw badRequestError('widgets do not grow');
    },
  };
  await using widget = await newWidget([refuse]);
  await expect(widget.put(scale(5))).rejects.toThrow('widgets do not grow');
  expect(await widget.rows()).toEqual({ rows: 3 });
});

test('a Scale of a cluster-scoped object has no namespace, and no spec.replicas where there are none', async () => {
  await using widget = await newWidget([]);
  await widget.put(scale(0));
  const read = await widget.read();
  expect(read).toMatchObject({ spec: {}, status: { replicas: 0 } });
  expect(read['spec']).toEqual({});
  expect(read['metadata']).not.toHaveProperty('namespace');
});
