import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCrds } from '../../src/manifests/index.ts';
import {
  isObject,
  type JsonObject,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { mergePatch, scale } from '../fixtures/scalable-widgets.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';
import { minimalValue } from '../fixtures/minimal-value.ts';
import { findCorpus } from '../corpus.test-support.ts';

/** Definitions of real projects that can be scaled: `shared/crds` in a folder above, or `$ILK_CORPUS`. */
const corpus = findCorpus();
const projects = ['cluster-api', 'prometheus-operator', 'cloudnative-pg', 'rook', 'vertical-pod-autoscaler'];

interface Scalable {
  readonly crd: JsonObject;
  readonly version: JsonObject;
  readonly paths: JsonObject;
}

async function scalablesOf(project: string): Promise<Scalable[]> {
  const folder = join(corpus ?? '', project);
  const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  const crds = (await Promise.all(files.map((file) => loadCrds(join(folder, file)).catch(() => [])))).flat();
  return crds.flatMap(({ object: crd }) =>
    (ownList(ownObject(crd, 'spec') ?? {}, 'versions') ?? []).filter(isObject).flatMap((version) => {
      const paths = ownObject(ownObject(version, 'subresources') ?? {}, 'scale');
      return paths === undefined || own(version, 'served') !== true ? [] : [{ crd, version, paths }];
    }),
  );
}

const isNamed = (wanted: string) => (crd: JsonObject) => nameOf(crd) === wanted;

/** A value at a path such as `.spec.gateway.instances`, merged with what a schema needs. */
function patchOf(path: string, value: number | string): JsonObject {
  const fields = path.split('.').filter(Boolean).reverse();
  return fields.reduce<JsonObject | number | string>(
    (inner, field) => ({ [field]: inner }),
    value,
  ) as JsonObject; // There is at least one field.
}

describe.skipIf(corpus === undefined)('scaling kinds of real projects (skipped without the corpus)', () => {
  test.each(projects)('%s', async (project) => {
    const scalables = await scalablesOf(project);
    expect(scalables.length).toBeGreaterThan(0);
    const names = new Set(scalables.map(({ crd }) => nameOf(crd)));
    const crds = [...names].map((name) => scalables.map(({ crd }) => crd).find(isNamed(name)) ?? {});
    await using server = await startServer({ crds, listen: { host: '127.0.0.1', port: 0, tls: true } });
    using kubectl = new Kubectl(server.kubeconfigPath);
    const call = async (method: string, path: string, body?: unknown, type = 'application/json') => {
      const sent =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
      const response = await server.fetch(path, { method, ...sent });
      const answer = JSON.parse(await response.text());
      return response.ok ? answer : { refused: answer.message };
    };
    for (const [index, { crd, version, paths }] of scalables.entries()) {
      const spec = ownObject(crd, 'spec') ?? {};
      const group = ownString(spec, 'group');
      const { plural = '', singular = '', kind = '' } = ownObject(spec, 'names') ?? {};
      const versionName = ownString(version, 'name');
      const schema = ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema') ?? {};
      const { status: _, ...least } = { ...(minimalValue({ ...schema, required: ['spec'] }) as JsonObject) }; // The root is an object.
      const collection = `/apis/${group}/${versionName}/namespaces/default/${String(plural)}`;
      const name = `scaled-${index}`;
      const object = { ...least, apiVersion: `${group}/${versionName}`, kind, metadata: { name } };
      expect(await call('POST', collection, object)).toMatchObject({ kind });
      const at = `${collection}/${name}`;
      const put = await call('PUT', `${at}/scale`, scale(name, 4));
      expect(put).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
      const specPath = String(paths['specReplicasPath']);
      expect(await call('GET', at)).toMatchObject(patchOf(specPath, 4));
      const patched = await call('PATCH', `${at}/scale`, { spec: { replicas: 2 } }, mergePatch);
      expect(patched).toMatchObject({ spec: { replicas: 2 } });
      // kubectl scales in the version that discovery names first, in which a least object of another may be invalid.
      if (kubectlMinor !== undefined && own(version, 'storage') === true) {
        const scaled = await kubectl.run(`scale ${String(plural)}.${group}/${name} --replicas=3`);
        expect(scaled).toEqual({ code: 0, err: '', out: `${String(singular)}.${group}/${name} scaled\n` });
        expect(await call('GET', at)).toMatchObject(patchOf(specPath, 3));
        await call('PATCH', `${at}/scale`, { spec: { replicas: 2 } }, mergePatch);
      }
      const negative = await call('PATCH', `${at}/scale`, { spec: { replicas: -1 } }, mergePatch);
      expect(negative.refused).toContain(`${specPath}: Invalid value: -1: should be a non-negative integer`);
      const read = await call('GET', `${at}/scale`);
      expect(read).toEqual({ ...patched, metadata: read.metadata });
    }
  });
});
