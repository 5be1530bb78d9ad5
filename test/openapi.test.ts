import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IlkServer, startServer } from '../src/server.ts';
import { crdOf, versionOf } from './fixtures/crd.ts';

const crd = (properties: Record<string, { type: string }>) =>
  crdOf('Widget', { versions: [versionOf(properties)] });

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/openapi/v3/apis/example.com/v1';
const text = { type: 'string' };

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ crds: [crd({ color: text })], listen: false });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => server.fetch(path, { headers });

async function json(path: string) {
  return JSON.parse(await (await get(path)).text());
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

function dangling(document: object): string[] {
  const find = (target: string) =>
    target
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((node, step) => Reflect.get(Object(node), step), document);
  return referencesIn(document).filter((target) => find(target) === undefined);
}

/** The resources of a group version whose document has no path with their kind, or no model of it. */
async function resourcesWithoutModel(root: string): Promise<string[]> {
  const [{ resources }, { paths, components }] = await Promise.all([
    json(`/${root}`),
    json(`/openapi/v3/${root}`),
  ]);
  const found = resources.filter(({ name }: { name: string }) => !name.includes('/'));
  expect(found.length).toBeGreaterThan(0);
  return found
    .filter(({ name, kind, namespaced }: { name: string; kind: string; namespaced: boolean }) => {
      const path = paths[`/${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${name}`];
      const said = path?.post?.['x-kubernetes-group-version-kind']?.kind;
      const reference = path?.post?.requestBody.content['application/json'].schema.$ref ?? '';
      const model = components.schemas[reference.split('/').at(-1)];
      return said !== kind || model?.properties?.metadata === undefined;
    })
    .map(({ name }: { name: string }) => `${root} ${name}`);
}

async function urls(): Promise<Record<string, string>> {
  const { paths } = await json('/openapi/v3');
  return Object.fromEntries(
    Object.keys(paths).map((path): [string, string] => [path, paths[path].serverRelativeURL]),
  );
}

describe('OpenAPI v3', () => {
  test('has a document for each version of a group, and every reference in it leads somewhere', async () => {
    const index = await urls();
    expect(Object.keys(index)).toEqual(
      expect.arrayContaining([
        'api',
        'api/v1',
        'apis',
        'apis/apiextensions.k8s.io/v1',
        'apis/coordination.k8s.io/v1',
        'apis/events.k8s.io/v1',
        'apis/example.com/v1',
        'version',
      ]),
    );
    for (const url of Object.values(index)) {
      const document = await json(url);
      expect(document.openapi).toBe('3.0.0');
      expect(Object.keys(document.paths)).not.toEqual([]);
      expect(dangling(document)).toEqual([]);
    }
  });

  test('has a path and a model of each resource in discovery, as `kubectl explain` needs', async () => {
    const { groups } = await json('/apis');
    const versions = groups.flatMap((group: { versions: { groupVersion: string }[] }) => group.versions);
    const roots = ['api/v1', ...versions.map((one: { groupVersion: string }) => `apis/${one.groupVersion}`)];
    const unexplained = await Promise.all(roots.map(resourcesWithoutModel));
    expect(unexplained.flat()).toEqual([]);
  });

  test('knows the kinds of the server by the names that clients know', async () => {
    const core = await json('/openapi/v3/api/v1');
    expect(Object.keys(core.components.schemas)).toEqual(
      expect.arrayContaining(['io.k8s.api.core.v1.Namespace', 'io.k8s.api.core.v1.EventList']),
    );
    expect(core.paths['/api/v1/namespaces/{name}'].get.operationId).toBe('readCoreV1Namespace');
    const extensions = await json('/openapi/v3/apis/apiextensions.k8s.io/v1');
    const home = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';
    const props = extensions.components.schemas[`${home}JSONSchemaProps`].properties;
    expect(props.properties.additionalProperties.$ref).toBe(`#/components/schemas/${home}JSONSchemaProps`);
    expect(props['x-kubernetes-property-names'].allOf).toHaveLength(1);
    expect(extensions.components.schemas[`${home}CustomFeatureGate`].required).toEqual([
      'name',
      'fieldPaths',
    ]);
  });

  test('may be cached indefinitely under its hash', async () => {
    const url = (await urls())['apis/example.com/v1'] ?? '';
    const response = await get(url);
    expect(response.headers.get('cache-control')).toBe('public, immutable');
    expect(Date.parse(response.headers.get('expires') ?? '')).toBeGreaterThan(Date.now());
    expect(response.headers.get('etag')).toBe(`"${url.split('=')[1]}"`);
    const unnamed = await get(widgets);
    expect(unnamed.headers.get('expires')).toBeNull();
    expect(await unnamed.text()).toBe(await response.text());
  });

  test('is not sent to whom has it', async () => {
    const etag = (await get(widgets)).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect((await get(widgets, { 'if-none-match': known })).status).toBe(304);
    }
    expect((await get(widgets, { 'if-none-match': '"other"' })).status).toBe(200);
    const index = await get('/openapi/v3');
    expect((await get('/openapi/v3', { 'if-none-match': index.headers.get('etag') ?? '' })).status).toBe(304);
  });

  test('is JSON, also for clients that would rather have protobuf', async () => {
    const protobuf = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
    const response = await get(widgets, { accept: `${protobuf}, application/json` });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect((await get(widgets, { accept: '*/*' })).status).toBe(200);
    expect((await get(widgets, { accept: protobuf })).status).toBe(406);
  });

  test.each(['/openapi/v3/apis/example.com/v2', '/openapi/v3/apis/none.com/v1', '/openapi/v4', '/openapi'])(
    'is not at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('evictions and bindings', () => {
  const pods = '/api/v1/namespaces/{namespace}/pods/{name}';
  const operationAt = async (document: string, path: string) => {
    const { post, ...others } = (await json(document)).paths[path];
    const { operationId, description, 'x-kubernetes-group-version-kind': kind } = post;
    return { methods: Object.keys({ post, ...others }), operationId, description, kind };
  };

  test.each(['/openapi/v3/api/v1', '/openapi/v2'])('are posted, says %s', async (document) => {
    const methods = ['post', 'parameters'];
    const kind = { group: '', version: 'v1', kind: 'Binding' };
    expect(await operationAt(document, `${pods}/eviction`)).toEqual({
      methods,
      operationId: 'createCoreV1NamespacedPodEviction',
      description: 'create eviction of a Pod',
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
    });
    expect(await operationAt(document, `${pods}/binding`)).toEqual({
      methods,
      operationId: 'createCoreV1NamespacedPodBinding',
      description: 'create binding of a Pod',
      kind,
    });
    expect(await operationAt(document, '/api/v1/namespaces/{namespace}/bindings')).toEqual({
      methods,
      operationId: 'createCoreV1NamespacedBinding',
      description: 'create a Binding',
      kind,
    });
  });

  test('have models', async () => {
    const { schemas } = (await json('/openapi/v3/api/v1')).components;
    const models = ['io.k8s.api.policy.v1.Eviction', 'io.k8s.api.core.v1.Binding'];
    expect(models.map((model) => Object.keys(schemas[model].properties).sort())).toEqual([
      ['apiVersion', 'deleteOptions', 'kind', 'metadata'],
      ['apiVersion', 'kind', 'metadata', 'target'],
    ]);
  });

  test('an APIService is known by the name of its Go package', async () => {
    const { components } = await json('/openapi/v3/apis/apiregistration.k8s.io/v1');
    expect(Object.keys(components.schemas)).toContain(
      'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService',
    );
  });
});

describe('OpenAPI v2', () => {
  test('is one document for everything', async () => {
    const document = await json('/openapi/v2');
    expect(document.swagger).toBe('2.0');
    expect(document.definitions['com.example.v1.Widget'].properties.color).toEqual(text);
    expect(document.definitions['io.k8s.api.coordination.v1.Lease'].properties.spec.type).toBe('object');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/apis/', '/api/v1/namespaces', '/apis/example.com/v1/widgets']),
    );
    expect(dangling(document)).toEqual([]);
  });

  test('has a definition for each Go type of built-in kinds, once', async () => {
    const body = await (await get('/openapi/v2')).text();
    const { definitions } = JSON.parse(body);
    const core = 'io.k8s.api.core.v1';
    expect(definitions[`${core}.ContainerPort`]).toEqual({
      type: 'object',
      required: ['containerPort'],
      properties: {
        name: { type: 'string' },
        hostPort: { type: 'integer', format: 'int32' },
        containerPort: { type: 'integer', format: 'int32' },
        protocol: { type: 'string', enum: ['SCTP', 'TCP', 'UDP'] },
        hostIP: { type: 'string' },
      },
    });
    const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
    const { spec, status } = definitions['io.k8s.api.apps.v1.Deployment'].properties;
    const deployment = 'io.k8s.api.apps.v1.Deployment';
    expect([spec, status]).toEqual([ref(`${deployment}Spec`), ref(`${deployment}Status`)]);
    expect(definitions[`${core}.PodSpec`].properties.containers).toEqual({
      type: 'array',
      items: ref(`${core}.Container`),
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    expect(body.split(`"${core}.PodSpec":{`)).toHaveLength(2);
    expect(JSON.parse(body).security).toEqual([{ BearerToken: [] }]);
  });

  test.each(['@v1.0', '.v1.0'])('is protobuf for clients in Go: spec.v2%s', async (version) => {
    const accept = `application/com.github.proto-openapi.spec.v2${version}+protobuf`;
    const response = await get('/openapi/v2', { accept });
    expect(response.headers.get('content-type')).toBe(
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.includes('com.example.v1.Widget')).toBe(true);
    const again = await get('/openapi/v2', { accept, 'if-none-match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('is refused in other formats', async () => {
    expect((await get('/openapi/v2', { accept: 'text/html' })).status).toBe(406);
  });
});

test('a change of a CRD changes its documents, and no others', async () => {
  const before = await urls();
  const swagger = (await get('/openapi/v2')).headers.get('etag');
  const current = await json(`${crds}/widgets.example.com`);
  const changed = { ...current, spec: crd({ size: { type: 'integer' } }).spec };
  const init = {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(changed),
  };
  expect((await server.fetch(`${crds}/widgets.example.com`, init)).status).toBe(200);

  const after = await urls();
  const different = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(different).toEqual(['apis/example.com/v1']);
  const { components } = await json(widgets);
  expect(components.schemas['com.example.v1.Widget'].properties).toHaveProperty('size');
  expect((await get('/openapi/v2')).headers.get('etag')).not.toBe(swagger);
  const old = await get(before['apis/example.com/v1'] ?? '');
  expect([old.status, old.headers.get('location')]).toEqual([301, after['apis/example.com/v1']]);
});
