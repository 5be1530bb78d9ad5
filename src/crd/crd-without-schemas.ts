import { clone, isObject, type JsonObject, type JsonValue, type KubeObject } from '../meta/index.ts';
import { crdSchema } from './decode/crd-schema.ts';
import { crdFromV1beta1 } from './decode/from-v1beta1.ts';
import { schemaOf, specOf, textOf, versionsOf } from './spec-view.ts';

const { normalize } = crdSchema();

/**
 * Copies a stored CRD without its schemas. Schemas are most of a CRD, and most of them are never used: a thousand
 * CRDs load 20 times faster without them.
 *
 * @throws {CrdDecodeError} for a value of the wrong type
 */
export function crdWithoutSchemas(stored: Readonly<KubeObject>): KubeObject {
  const crd: KubeObject = { ...stored, metadata: clone(stored['metadata'] ?? null) };
  if (isObject(stored['spec'])) crd['spec'] = { ...stored['spec'] };
  crdFromV1beta1(crd);
  const { spec } = crd;
  if (isObject(spec) && Array.isArray(spec['versions']))
    spec['versions'] = spec['versions'].map(withoutSchema);
  normalize(crd, { dropInvalidMetadata: true });
  return crd;
}

function withoutSchema(version: JsonValue): JsonValue {
  if (!isObject(version)) return version;
  const { schema: _, ...rest } = version;
  return rest;
}

/**
 * Sets the schema that {@link crdWithoutSchemas} left out for a version, and returns it. Changes the CRD.
 *
 * @throws {CrdDecodeError} for a value of the wrong type
 */
export function storedSchema(stored: KubeObject, versionName: string): JsonObject | undefined {
  crdFromV1beta1(stored);
  normalize(stored, { dropInvalidMetadata: true });
  const version = versionsOf(specOf(stored)).find((candidate) => textOf(candidate, 'name') === versionName);
  return version === undefined ? undefined : schemaOf(version);
}
