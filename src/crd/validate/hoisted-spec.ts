import { equal, FieldPath, type JsonObject, type JsonValue, ownObject } from '../../meta/index.ts';
import { objectsOf, schemaOf, textOf, versionsOf } from '../spec-view.ts';

/** Fields of a version that upstream stores once for all versions if they are equal. */
export interface VersionParts {
  /** Where the fields are in error paths. */
  readonly path: FieldPath;
  /** `schema`, the object that contains `openAPIV3Schema`. */
  readonly schema: JsonObject | undefined;
  /** The error path of {@link schema}. */
  readonly schemaPath: FieldPath;
  readonly subresources: JsonObject | undefined;
  readonly columns: readonly JsonObject[];
  readonly selectableFields: readonly JsonObject[];
}

/** A version with the fields that only it has. */
export interface HoistedVersion extends VersionParts {
  readonly name: string;
  readonly raw: JsonObject;
  /** The schema of the version, shared or its own. */
  readonly openAPIV3Schema: JsonObject | undefined;
  /** True if the version has `/status`, shared or its own. */
  readonly statusEnabled: boolean;
}

/**
 * A spec as upstream holds it in memory: schema, subresources, columns and selectable fields that are equal in all
 * versions are at the top, where the API had them before versions existed. Error paths use those places, so for a CRD
 * with one version they read `spec.validation.openAPIV3Schema...`.
 */
export interface HoistedSpec {
  readonly raw: JsonObject;
  readonly versions: readonly HoistedVersion[];
  readonly versionNamed: ReadonlyMap<string, HoistedVersion>;
  readonly top: VersionParts;
}

const specPath = FieldPath.of('spec');

function shared<T extends JsonValue>(values: readonly (T | undefined)[]): boolean {
  return values.every((value) => equal(value, values[0]));
}

/** Converts a normalized spec to a {@link HoistedSpec}. */
export function hoistSpec(raw: JsonObject): HoistedSpec {
  const versions = versionsOf(raw);
  const [first] = versions;
  const any = first !== undefined;
  const schemaShared = any && shared(versions.map((version) => ownObject(version, 'schema')));
  const subresourcesShared = any && shared(versions.map((version) => ownObject(version, 'subresources')));
  const columnsShared =
    any && shared(versions.map((version) => objectsOf(version, 'additionalPrinterColumns')));
  const fieldsShared = any && shared(versions.map((version) => objectsOf(version, 'selectableFields')));
  const parts = (version: JsonObject, atTop: boolean): Omit<VersionParts, 'path' | 'schemaPath'> => ({
    schema: schemaShared === atTop ? ownObject(version, 'schema') : undefined,
    subresources: subresourcesShared === atTop ? ownObject(version, 'subresources') : undefined,
    columns: columnsShared === atTop ? objectsOf(version, 'additionalPrinterColumns') : [],
    selectableFields: fieldsShared === atTop ? objectsOf(version, 'selectableFields') : [],
  });
  const hoisted = versions.map((version, index): HoistedVersion => {
    const path = specPath.child('versions').index(index);
    return {
      ...parts(version, false),
      path,
      schemaPath: path.child('schema'),
      name: textOf(version, 'name'),
      raw: version,
      openAPIV3Schema: schemaOf(version),
      statusEnabled: hasStatus(ownObject(version, 'subresources')),
    };
  });
  return {
    raw,
    versions: hoisted,
    versionNamed: new Map(hoisted.map((version) => [version.name, version])),
    top: { ...parts(first ?? {}, true), path: specPath, schemaPath: specPath.child('validation') },
  };
}

function hasStatus(subresources: JsonObject | undefined): boolean {
  return subresources !== undefined && ownObject(subresources, 'status') !== undefined;
}
