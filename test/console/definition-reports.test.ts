import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/testing/index.ts';

const integer = { type: 'integer' };
const gate = (name: string, fieldPath: string, more: JsonObject = {}) => ({
  name,
  preRelease: 'alpha',
  fieldPaths: [fieldPath],
  ...more,
});
const version = (name: string, spec: JsonObject) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } },
});
const crd = (
  spec: JsonObject = { size: integer, shade: { type: 'object', properties: { dark: integer } } },
) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'lamps', singular: 'lamp', kind: 'Lamp' },
    versions: [version('v1', spec), version('v2', { size: { type: 'string' } })],
    customFeatureGates: {
      featureGates: [
        gate('Shade', '.spec.shade', { enabled: true }),
        gate('Dark', '.spec.shade.dark', { enabled: true }),
      ],
    },
  },
});
const lamp = (name: string, spec: JsonObject) => ({
  apiVersion: 'example.com/v1',
  kind: 'Lamp',
  metadata: { name, namespace: 'default' },
  spec,
});

let server: IlkServer;

beforeAll(async () => {
  server = await startServer({
    console: true,
    crds: [crd()],
    objects: [lamp('a', { size: 1 }), lamp('b', { shade: {} }), lamp('c', { shade: { dark: 1 } })],
  });
});
afterAll(() => server?.close());

const at = (path: string) => `/ilk/v1/definitions/lamps.example.com/${path}`;

async function ask(path: string, init: { method?: string; body?: string } = {}, fetch = server.fetch) {
  const response = await fetch(path, init);
  const value = (await response.json()) as JsonObject;
  return response.status === 200 ? value : `${response.status} ${String(value['message'])}`;
}

/** A user with the rights that a ClusterRole of these rules gives. */
async function userWith(name: string, rules: readonly JsonObject[]) {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const headers = { 'content-type': 'application/json' };
  const role = { kind: 'ClusterRole', metadata: { name }, rules };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const binding = {
    metadata: { name },
    roleRef,
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  };
  await server.fetch(`${rbac}/clusterroles`, { method: 'POST', headers, body: JSON.stringify(role) });
  await server.fetch(`${rbac}/clusterrolebindings`, {
    method: 'POST',
    headers,
    body: JSON.stringify(binding),
  });
  return server.as({ name }).fetch;
}

const readsDefinitions = {
  apiGroups: ['apiextensions.k8s.io'],
  resources: ['customresourcedefinitions'],
  verbs: ['get'],
};

describe('gates', () => {
  test('are listed as they stand', async () => {
    expect(await ask(at('gates'))).toEqual({
      kind: 'FieldGateList',
      apiVersion: 'ilk/v1',
      items: [
        {
          name: 'Shade',
          component: '',
          stage: 'alpha',
          default: false,
          enabled: true,
          set: true,
          fieldPaths: ['.spec.shade'],
        },
        {
          name: 'Dark',
          component: '',
          stage: 'alpha',
          default: false,
          enabled: true,
          set: true,
          fieldPaths: ['.spec.shade.dark'],
        },
      ],
    });
  });

  test('turning one turns those inside it, and the objects that hold their fields are named', async () => {
    const preview = (await ask(at('gates/Shade?enabled=default'))) as JsonObject;
    expect(preview).toMatchObject({
      gate: 'Shade',
      patch: [
        { op: 'test', path: '/spec/customFeatureGates/featureGates/0/name', value: 'Shade' },
        { op: 'remove', path: '/spec/customFeatureGates/featureGates/0/enabled' },
      ],
      changed: [
        { name: 'Shade', enabled: false, disabledBy: 'Shade' },
        { name: 'Dark', enabled: false, disabledBy: 'Shade' },
      ],
      objects: {
        count: 2,
        items: [
          { namespace: 'default', name: 'b', fieldPaths: ['.spec.shade'] },
          { namespace: 'default', name: 'c', fieldPaths: ['.spec.shade', '.spec.shade.dark'] },
        ],
      },
    });
  });

  test('nothing is turned by a preview, and what is as it is changes nothing', async () => {
    expect(await ask(at('gates/Dark?enabled=true'))).toMatchObject({ changed: [], objects: { count: 1 } });
    expect(await ask(at('gates'))).toMatchObject({ items: [{ enabled: true }, { enabled: true }] });
  });

  test.each([
    ['gates/Dark', '400 enabled must be true, false or default'],
    ['gates/Light?enabled=true', '404 gates.ilk "Light" not found'],
    ['gates/__proto__?enabled=true', '404 gates.ilk "__proto__" not found'],
    ['shades', '404 definitions.ilk "lamps.example.com" not found'],
    ['gates/a/b', '404 definitions.ilk "lamps.example.com" not found'],
  ])('%s: %s', async (path, answer) => expect(await ask(at(path))).toBe(answer));

  test('only those who may list the objects learn which they are', async () => {
    const fetch = await userWith('reader', [readsDefinitions]);
    expect(await ask(at('gates/Dark?enabled=false'), {}, fetch)).toMatchObject({
      changed: [{ name: 'Dark' }],
      objects: {
        hidden: 'User "reader" cannot list resource "lamps" in API group "example.com" at the cluster scope',
      },
    });
  });

  test('a definition that may not be read is not told of, whether it is there or not', async () => {
    const { fetch } = server.as({ name: 'stranger' });
    const refusal = (name: string) =>
      `403 customresourcedefinitions.apiextensions.k8s.io "${name}" is forbidden: User "stranger" cannot get resource ` +
      '"customresourcedefinitions" in API group "apiextensions.k8s.io" at the cluster scope';
    expect(await ask(at('gates'), {}, fetch)).toBe(refusal('lamps.example.com'));
    expect(await ask('/ilk/v1/definitions/nothing.example.com/gates', {}, fetch)).toBe(
      refusal('nothing.example.com'),
    );
    expect(await ask('/ilk/v1/definitions/nothing.example.com/gates')).toBe(
      '404 customresourcedefinitions.apiextensions.k8s.io "nothing.example.com" not found',
    );
  });
});

describe('differences', () => {
  const post = (body: string, query = '') => ask(at(`diff${query}`), { method: 'POST', body });

  test('to another file, as ilk diff says', async () => {
    const changes = [
      {
        crd: 'lamps.example.com',
        severity: 'breaking',
        version: 'v1',
        path: '.spec.shade',
        message: 'field is gone; its values are dropped',
        rule: 'fields',
        file: 'the file',
        line: 1,
      },
    ];
    const report = (await post(JSON.stringify(crd({ size: integer })))) as { changes: JsonObject[] };
    expect(report).toMatchObject({ kind: 'DefinitionDiff', breaking: 1 });
    expect(report.changes.filter(({ rule }) => rule === 'fields')).toEqual(changes);
    expect(await post(JSON.stringify(crd()))).toMatchObject({ breaking: 0, changes: [] });
  });

  test('since another file', async () => {
    const { changes } = (await post(JSON.stringify(crd({ size: integer })), '?posted=old')) as {
      changes: JsonObject[];
    };
    expect(changes).toContainEqual(
      expect.objectContaining({ severity: 'safe', path: '.spec.shade', message: 'field is new' }),
    );
  });

  test('of two versions', async () => {
    expect(await ask(at('diff?from=v1&to=v2'))).toMatchObject({
      changes: [
        {
          severity: 'breaking',
          version: 'v2',
          path: '.spec.shade',
          message: 'field is gone; its values are dropped',
        },
        { path: '.spec.size', message: 'type changed from integer to string' },
      ],
    });
    expect(await ask(at('diff?from=v1&to=v3'))).toBe('400 lamps.example.com has no version v3');
  });

  test.each([
    ['a: b: c', /^400 the file: .*mapping/],
    ['[]', '400 the file:1: not an object'],
    ['kind: ConfigMap', '400 there is no CustomResourceDefinition in the file'],
    ['', '400 there is no CustomResourceDefinition in the file'],
    [
      'kind: CustomResourceDefinition\nmetadata: {name: a}\n---\nkind: CustomResourceDefinition\nmetadata: {name: b}\n',
      '400 none of the CustomResourceDefinitions in the file is lamps.example.com',
    ],
  ])('%j: %s', async (body, answer) => {
    const said = await post(body);
    if (typeof answer === 'string') expect(said).toBe(answer);
    else expect(said).toMatch(answer);
  });
});
