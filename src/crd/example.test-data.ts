import {
  clone,
  defaultFeatureGates,
  type FeatureGates,
  type JsonObject,
  type KubeObject,
} from '../meta/index.ts';
import { crdSchema } from './decode/crd-schema.ts';

/** Every gate on. */
export const gates: FeatureGates = defaultFeatureGates();

/** A valid schema, for tests of other parts. */
export const fooSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { color: { type: 'string' }, replicas: { type: 'integer' } } },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
};

/** One version of the CRD below. */
export function versionNamed(name: string, change: JsonObject = {}): JsonObject {
  return { name, served: true, storage: false, schema: { openAPIV3Schema: clone(fooSchema) }, ...change };
}

/** A valid, normalized CRD `foos.example.com`, with parts of its spec, or whole top-level fields, replaced. */
export function fooCrd(spec: JsonObject = {}, top: JsonObject = {}): KubeObject {
  const crd: KubeObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [versionNamed('v1', { storage: true })],
      ...spec,
    },
    ...top,
  };
  const copy = clone(crd);
  crdSchema().normalize(copy);
  return copy;
}
