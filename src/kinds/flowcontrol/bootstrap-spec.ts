import { equal, type JsonObject, type KubeObject, nameOf, ownObject } from '../../meta/index.ts';

/** The spec that a mandatory object must have; undefined for other objects. */
export function mandatorySpec(object: KubeObject, mandatory: readonly KubeObject[]): JsonObject | undefined {
  const found = mandatory.find((one) => nameOf(one) === nameOf(object));
  return found && (ownObject(found, 'spec') ?? {});
}

/** Whether two specs are equal, without the fields that Go always writes. */
export function equalSpecs(a: JsonObject, b: JsonObject): boolean {
  return equal(withoutEmpty(a), withoutEmpty(b));
}

function withoutEmpty(spec: JsonObject): JsonObject {
  const text = JSON.stringify(spec, (_key, value: unknown) =>
    value === null || value === false || (Array.isArray(value) && value.length === 0) ? undefined : value,
  );
  return JSON.parse(text);
}
