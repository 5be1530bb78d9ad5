import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCrds } from '../../src/manifests/index.ts';
import { isObject, type JsonObject, type KubeObject, own, ownList, ownObject } from '../../src/meta/index.ts';
import { startServer } from '../../src/server.ts';
import { Kubectl, kubectlMinor } from '../fixtures/kubectl.ts';
import { minimalValue } from '../fixtures/minimal-value.ts';
import { findCorpus } from '../corpus.test-support.ts';

/** Definitions of real projects with selectable fields: `shared/crds` in a folder above, or `$ILK_CORPUS`. */
const corpus = findCorpus();

/** What a CRD is tried with: two objects that differ in the field. */
interface Selectable {
  readonly file: string;
  readonly field: string;
  readonly object: (value: string) => JsonObject;
  readonly values: readonly [string, string];
}

const issued = (name: string): JsonObject => ({ spec: { secretName: 'a', issuerRef: { name } } });

const selectables: readonly Selectable[] = [
  {
    file: 'cert-manager/cert-manager.io_certificates.yaml',
    field: 'spec.issuerRef.name',
    object: issued,
    values: ['letsencrypt', 'vault'],
  },
  {
    file: 'kyverno/policies.kyverno.io__policies.kyverno.io_validatingpolicies.yaml',
    field: 'spec.evaluation.mode',
    object: (mode) => ({ spec: { evaluation: { mode } } }),
    values: ['Kubernetes', 'JSON'],
  },
  {
    file: 'kueue/kueue.x-k8s.io_workloads.yaml',
    field: 'status.admission.clusterQueue',
    object: (clusterQueue) => ({ status: { admission: { clusterQueue } } }),
    values: ['batch', 'interactive'],
  },
];

/** The smallest object of the first version that declares the field, with some fields set. */
function objectOf(crd: KubeObject, { field, object }: Selectable, value: string, name: string): KubeObject {
  const spec = ownObject(crd, 'spec') ?? {};
  const version =
    (ownList(spec, 'versions') ?? []).filter(isObject).find((one) => declares(one, field)) ?? {};
  const schema = ownObject(ownObject(version, 'schema') ?? {}, 'openAPIV3Schema') ?? {};
  return {
    ...merged(withParts(schema, object(value)), object(value)),
    apiVersion: `${String(own(spec, 'group'))}/${String(own(version, 'name'))}`,
    kind: String(own(ownObject(spec, 'names') ?? {}, 'kind')),
    metadata: { name },
  };
}

function declares(version: JsonObject, field: string): boolean {
  const fields = (ownList(version, 'selectableFields') ?? []).filter(isObject);
  return fields.some((one) => own(one, 'jsonPath') === `.${field}`) && own(version, 'served') === true;
}

/** What the schema asks for, also below what is set. */
function withParts(schema: JsonObject, set: JsonObject): JsonObject {
  const least = minimalValue(schema);
  const parts = Object.entries(set).flatMap(([key, inner]) => {
    const property = ownObject(ownObject(schema, 'properties') ?? {}, key);
    return isObject(inner) && property !== undefined ? [[key, withParts(property, inner)] as const] : [];
  });
  return merged(isObject(least) ? least : {}, Object.fromEntries(parts));
}

function merged(below: JsonObject, above: JsonObject): JsonObject {
  const result: JsonObject = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const known = result[key];
    result[key] = isObject(known) && isObject(value) ? merged(known, value) : value;
  }
  return result;
}

const isPossible = corpus !== undefined && kubectlMinor !== undefined;

describe.skipIf(!isPossible)('kinds of real projects (skipped without the corpus or kubectl)', () => {
  test.each(selectables)('$file selects by $field', async (selectable) => {
    const { file, field, values } = selectable;
    const [crd] = await loadCrds(join(corpus ?? '', file));
    const object = crd?.object ?? {};
    const objects = values.map((value, at) => objectOf(object, selectable, value, `object-${at}`));
    // Over plain HTTP kubectl does not send its token.
    const listen = { host: '127.0.0.1', port: 0, tls: true };
    await using server = await startServer({ crds: [object], objects, listen });
    using kubectl = new Kubectl(server.kubeconfigPath);
    const plural = String(own(ownObject(ownObject(object, 'spec') ?? {}, 'names') ?? {}, 'plural'));
    const names = async (selector: string) => {
      const { out, err } = await kubectl.run(`get ${plural} --field-selector ${selector} -o name`);
      expect(err).not.toMatch(/rror/);
      return [...out.matchAll(/\/(\S+)\n/g)].map(([, name]) => name);
    };
    expect(await names(`${field}=${values[0]}`)).toEqual(['object-0']);
    expect(await names(`${field}!=${values[0]}`)).toEqual(['object-1']);
    expect(await names(`${field}=${values[1]},metadata.name=object-0`)).toEqual([]);
    const { err } = await kubectl.run(`get ${plural} --field-selector spec.none=1`);
    expect(err).toContain('field label not supported: spec.none');
  });
});
