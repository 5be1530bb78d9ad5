import { expect, test } from 'vitest';
import { ownObject } from '../../src/meta/index.ts';
import {
  collection,
  scalableWidgetCrd,
  scalableVersion,
  startWidgets,
} from '../fixtures/scalable-widgets.ts';
import { widgetOf } from '../fixtures/widgets.ts';

test('objects are there from the start, with their status, in namespaces that are made for them', async () => {
  const objects = [
    widgetOf('kitchen', { spec: { rows: 2 }, status: { rows: 1 } }),
    { ...widgetOf('far', { status: { size: 3 } }), metadata: { name: 'far', namespace: 'away' } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'away', labels: { a: 'b' } } },
  ];
  await using widgets = await startWidgets({ objects });
  const { body } = await widgets.call('GET', `${collection}/kitchen`);
  expect(body).toMatchObject({
    metadata: { generation: 1, namespace: 'default' },
    spec: { rows: 2 },
    status: { rows: 1 },
  });
  const far = await widgets.call('GET', '/apis/example.com/v1/namespaces/away/widgets/far');
  expect(far.body.status).toEqual({ size: 3 });
  expect((await widgets.call('GET', '/api/v1/namespaces/away')).body.metadata.labels).toMatchObject({
    a: 'b',
  });
});

test('CRDs may stand among the objects, in any order', async () => {
  const objects = [widgetOf('first', { status: { size: 1 } }), scalableWidgetCrd()];
  await using widgets = await startWidgets({ crds: [], objects });
  expect((await widgets.call('GET', `${collection}/first`)).body.status).toEqual({ size: 1 });
});

test('a version without /status takes the status with the rest', async () => {
  const objects = [widgetOf('whole', { status: { size: 1 } })];
  await using widgets = await startWidgets({
    crds: [scalableWidgetCrd([scalableVersion('v1', {})])],
    objects,
  });
  expect((await widgets.call('GET', `${collection}/whole`)).body.status).toEqual({ size: 1 });
});

test('CRDs are stored once, with the names and conditions that controllers would write after and after', async () => {
  await using widgets = await startWidgets();
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const roles = '/apis/rbac.authorization.k8s.io/v1';
  const { metadata, status } = (await widgets.call('GET', `${crds}/widgets.example.com`)).body;
  // Namespaces, PriorityClasses and bootstrap roles were there before it, and an empty store is at revision 1.
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const before = ['/api/v1/namespaces', classes, `${roles}/clusterroles`, `${roles}/clusterrolebindings`];
  const lists = await Promise.all(before.map((path) => widgets.call('GET', path)));
  const stored = lists.reduce((sum, { body }) => sum + body.items.length, 0);
  expect(metadata.resourceVersion).toBe(String(1 + stored + 1));
  expect(status.acceptedNames).toEqual({
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
  });
  expect(status.conditions).toMatchObject([
    { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts' },
    { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
  ]);
});

test('the same object twice: the last one stays', async () => {
  const objects = [widgetOf('twice', { spec: { size: 1 } }), widgetOf('twice', { spec: { size: 2 } })];
  await using widgets = await startWidgets({ objects });
  expect((await widgets.call('GET', `${collection}/twice`)).body.spec).toEqual({ size: 2 });
});

test.each([
  [
    'of an unknown kind',
    { apiVersion: 'example.com/v1', kind: 'Car', metadata: { name: 'a' } },
    'no matches for kind "Car" in version "example.com/v1"',
  ],
  [
    'in an unknown version',
    { ...widgetOf('a'), apiVersion: 'example.com/v9' },
    'no matches for kind "Widget" in version "example.com/v9"',
  ],
  [
    'that is wrong',
    widgetOf('a', { spec: { size: 11 } }),
    'Widget.example.com "a" is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
  ],
  [
    'whose status is wrong',
    widgetOf('a', { status: { size: 11 } }),
    'Widget.example.com "a" is invalid: status.size: Invalid value: 11: status.size in body should be less than or equal to 10',
  ],
  [
    'with a field that does not exist',
    widgetOf('a', { color: 'red' }),
    'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "color"',
  ],
])('an object %s keeps the server from starting', async (_, object, message) => {
  await expect(startWidgets({ objects: [object] })).rejects.toThrow(message);
});

test('gates on fields take nothing from objects that are there from the start; the next write meets them', async () => {
  const crd = scalableWidgetCrd();
  const gate = { name: 'Plants', preRelease: 'alpha', fieldPaths: ['.spec.plants'] };
  const gated = {
    ...crd,
    spec: { ...ownObject(crd, 'spec'), customFeatureGates: { featureGates: [gate] } },
  };
  const objects = [
    {
      ...widgetOf('kept', { spec: { plants: 'roses', size: 1 } }),
      metadata: { name: 'kept', generation: 7 },
    },
  ];
  await using widgets = await startWidgets({ crds: [gated], objects });
  const { body } = await widgets.call('GET', `${collection}/kept`);
  expect(body).toMatchObject({ metadata: { generation: 7 }, spec: { plants: 'roses', size: 1 } });
  const created = await widgets.call(
    'POST',
    collection,
    widgetOf('new', { spec: { plants: 'roses', size: 1 } }),
  );
  expect(created.body.spec).toEqual({ size: 1 });
});
