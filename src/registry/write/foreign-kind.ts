import type { ResourceType } from '../../crd/index.ts';
import { compareBytes, type KubeObject, ownString, parseGroupVersion } from '../../meta/index.ts';
import { schemaless } from '../../schema/index.ts';

/** The kind and version of an object, as far as they are valid. */
interface SaidKind {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** The kind of an object; undefined for an invalid apiVersion. */
export function saidKind(object: KubeObject): SaidKind | undefined {
  const found = parseGroupVersion(ownString(object, 'apiVersion') ?? '');
  return found && { ...found, kind: ownString(object, 'kind') ?? '' };
}

/**
 * Normalizes an object of another kind or version than its path as upstream does, and returns the strict errors: one
 * of another kind keeps all its fields, one of a version that the CRD does not have keeps only its metadata, and one
 * of another version is normalized by that version's schema.
 *
 * Source: apiextensions-apiserver, unstructuredSchemaCoercer.apply.
 */
export function normalizeForeign(object: KubeObject, said: SaidKind, type: ResourceType): string[] {
  const unknownFields: string[] = [];
  const isOfKind = said.group === type.group && said.kind === type.kind;
  const version = type.versions.find(({ name }) => name === said.version);
  if (isOfKind && version !== undefined) version.schema().normalize(object, { unknownFields });
  else schemaless.normalize(object, { unknownFields });
  if (isOfKind && version === undefined) unknownFields.push(...dropAll(object));
  return unknownFields.map((path) => `unknown field "${path}"`);
}

const typeMeta: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function dropAll(object: KubeObject): string[] {
  const dropped = Object.keys(object).filter((key) => !typeMeta.has(key));
  for (const key of dropped) delete object[key];
  return dropped.sort(compareBytes);
}
