import { describe, expect, test } from 'vitest';
import {
  applyPatch,
  collection,
  jsonPatch,
  mergePatch,
  scale,
  sharedWidgets,
} from '../fixtures/scalable-widgets.ts';
import { widgetOf } from '../fixtures/widgets.ts';

const { call, fetch, newWidget } = sharedWidgets();

describe('reading a Scale', () => {
  test('shows numbers and the metadata that a scaler needs, nothing else', async () => {
    const path = await newWidget('shown');
    const { body } = await call('PATCH', path, { metadata: { labels: { a: 'b' } } }, mergePatch);
    expect((await call('GET', `${path}/scale`)).body).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {
        name: 'shown',
        namespace: 'default',
        uid: body.metadata.uid,
        resourceVersion: body.metadata.resourceVersion,
        creationTimestamp: body.metadata.creationTimestamp,
      },
      spec: { replicas: 3 },
      status: { replicas: 0 },
    });
  });

  test('in the representation that is asked for', async () => {
    const path = `${await newWidget('forms')}/scale`;
    const as = async (accept: string) => {
      const response = await fetch(path, { headers: { accept } });
      return {
        code: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      };
    };
    expect(await as('application/yaml')).toMatchObject({ type: 'application/yaml' });
    expect((await as('application/yaml')).text).toContain('spec:\n  replicas: 3\nstatus:\n  replicas: 0\n');
    const protobuf = await as('application/vnd.kubernetes.protobuf');
    expect(protobuf).toMatchObject({ code: 200, type: 'application/vnd.kubernetes.protobuf' });
    expect(protobuf.text).toMatch(/^k8s\0/);
    const table = JSON.parse((await as('application/json;as=Table;v=v1;g=meta.k8s.io')).text);
    expect(
      table.columnDefinitions.map(({ name, type }: { name: string; type: string }) => [name, type]),
    ).toEqual([
      ['Name', 'string'],
      ['Desired', 'integer'],
      ['Available', 'integer'],
      ['Age', 'date'],
    ]);
    expect(table.rows[0].cells).toEqual(['forms', 3, 0, expect.any(String)]);
  });
});

describe('writing a Scale', () => {
  test('PUT takes the replicas and nothing else, and counts as a change of the spec', async () => {
    const path = await newWidget('put');
    const sent = {
      ...scale('put', 5, { labels: { a: 'b' } }),
      status: { replicas: 9, selector: 'x' },
    };
    const { body } = await call('PUT', `${path}/scale?fieldManager=scaler`, sent);
    expect(body).toMatchObject({ spec: { replicas: 5 }, status: { replicas: 0 } });
    const object = (await call('GET', path)).body;
    expect(object).toMatchObject({ metadata: { generation: 2 }, spec: { rows: 5 } });
    expect(object).not.toHaveProperty('status');
    expect(object.metadata).not.toHaveProperty('labels');
    expect(object.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
    expect(object.metadata.managedFields).toContainEqual({
      manager: 'scaler',
      operation: 'Update',
      apiVersion: 'example.com/v1',
      subresource: 'scale',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:rows': {} } },
    });
  });

  test('without a change the resourceVersion stays', async () => {
    const path = `${await newWidget('idle')}/scale`;
    const { body } = await call('GET', path);
    const again = await call('PUT', path, scale('idle', 3));
    const patched = await call('PATCH', path, {}, mergePatch);
    expect([again.body, patched.body].map(({ metadata }) => metadata.resourceVersion)).toEqual([
      body.metadata.resourceVersion,
      body.metadata.resourceVersion,
    ]);
  });

  test('YAML and protobuf bodies are read', async () => {
    const path = `${await newWidget('bodies')}/scale`;
    const read = await fetch(path, {
      headers: { accept: 'application/vnd.kubernetes.protobuf' },
    });
    await call('PUT', path, scale('bodies', 7));
    const current = await call('GET', path);
    const put = async (type: string, body: string | Uint8Array<ArrayBuffer>) => {
      const response = await fetch(path, {
        method: 'PUT',
        headers: { 'content-type': type },
        body,
      });
      return { code: response.status, body: JSON.parse(await response.text()) };
    };
    const stale = await put('application/vnd.kubernetes.protobuf', new Uint8Array(await read.arrayBuffer()));
    expect(stale.body).toMatchObject({ code: 409, reason: 'Conflict' });
    const yaml = `metadata:\n  name: bodies\n  resourceVersion: "${current.body.metadata.resourceVersion}"\nspec:\n  replicas: 8\n`;
    expect((await put('application/yaml', yaml)).body.spec).toEqual({ replicas: 8 });
  });

  test('the resourceVersion of a Scale is a lock; without it the write is unconditional', async () => {
    const path = `${await newWidget('locked')}/scale`;
    const { body } = await call('GET', path);
    const locked = scale('locked', 4, { resourceVersion: body.metadata.resourceVersion });
    expect((await call('PUT', path, locked)).code).toBe(200);
    expect((await call('PUT', path, locked)).body).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on widgets.example.com "locked": the object has been modified; ' +
        'please apply your changes to the latest version and try again',
    });
    expect((await call('PUT', path, scale('locked', 6))).body.spec).toEqual({ replicas: 6 });
    const { resourceVersion } = body.metadata;
    const patch = { metadata: { resourceVersion }, spec: { replicas: 1 } };
    expect((await call('PATCH', path, patch, mergePatch)).code).toBe(409);
  });

  test('JSON patch, merge patch and apply; not strategic merge patch', async () => {
    const path = `${await newWidget('patches')}/scale`;
    const replace = [{ op: 'replace', path: '/spec/replicas', value: 4 }];
    expect((await call('PATCH', path, replace, jsonPatch)).body.spec).toEqual({ replicas: 4 });
    expect((await call('PATCH', path, { spec: { replicas: 5 } }, mergePatch)).body.spec).toEqual({
      replicas: 5,
    });
    const applied = `${path}?fieldManager=me&force=true`;
    expect((await call('PATCH', applied, scale('patches', 6), applyPatch)).body.spec).toEqual({
      replicas: 6,
    });
    expect((await call('PATCH', path, {}, 'application/strategic-merge-patch+json')).body).toMatchObject({
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: ' +
        'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    });
  });

  test('a dry run changes nothing', async () => {
    const path = `${await newWidget('dry')}/scale`;
    expect((await call('PUT', `${path}?dryRun=All`, scale('dry', 9))).body.spec).toEqual({ replicas: 9 });
    expect((await call('GET', path)).body.spec).toEqual({ replicas: 3 });
  });

  test('who applied the object owns its replicas until a scaler takes them', async () => {
    const path = `${collection}/shared`;
    const applied = widgetOf('shared', { spec: { rows: 3, size: 1 } });
    await call('PATCH', `${path}?fieldManager=applier`, applied, applyPatch);
    const claim = await call('PATCH', `${path}/scale?fieldManager=scaler`, scale('shared', 4), applyPatch);
    expect(claim.body.message).toBe('Apply failed with 1 conflict: conflict with "applier": .spec.replicas');
    await call('PATCH', `${path}/scale?fieldManager=scaler`, { spec: { replicas: 4 } }, mergePatch);
    const { metadata } = (await call('GET', path)).body;
    expect(
      metadata.managedFields.map((entry: { manager: string; subresource?: string; fieldsV1: unknown }) => [
        entry.manager,
        entry.subresource,
        entry.fieldsV1,
      ]),
    ).toEqual([
      ['applier', undefined, { 'f:spec': { 'f:size': {} } }],
      ['scaler', 'scale', { 'f:spec': { 'f:rows': {} } }],
    ]);
    const again = await call('PATCH', `${path}?fieldManager=applier`, applied, applyPatch);
    expect(again.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using example.com/v1: .spec.rows',
    );
  });

  test.each([
    ['PUT', 'application/json', scale('nobody', 1)],
    ['PATCH', mergePatch, { spec: { replicas: 1 } }],
    ['PATCH', applyPatch, scale('nobody', 1)],
  ])('%s with %s creates nothing', async (method, type, body) => {
    const query = type === applyPatch ? '?fieldManager=me' : '';
    expect((await call(method, `${collection}/nobody/scale${query}`, body, type)).body).toMatchObject({
      code: 404,
      message: 'widgets.example.com "nobody" not found',
    });
  });
});
