import { equal, FieldPath, type JsonObject, type JsonValue, ownObject } from '../../meta/index.ts';
import { objectsOf, schemaOf, textOf, versionsOf } from '../spec-view.ts';

/** What a version may have, and what upstream keeps once for all versions where they agree. */
export interface VersionParts {
  /** Where the parts stand in error texts. */
  readonly path: FieldPath;
  /** `schema`, the object around `openAPIV3Schema`. */
  readonly schema: JsonObject | undefined;
  /** Where {@link schema} stands in error texts. */
  readonly schemaPath: FieldPath;
  readonly subresources: JsonObject | undefined;
  readonly columns: readonly JsonObject[];
  readonly selectableFields: readonly JsonObject[];
}

/** A version, with what only it has. */
export interface HoistedVersion extends VersionParts {
  readonly name: string;
  readonly raw: JsonObject;
  /** The schema that applies to it, wherever it is kept. */
  readonly openAPIV3Schema: JsonObject | undefined;
  /** True where `/status` applies to it, wherever that is kept. */
  readonly statusEnabled: boolean;
}

/**
 * A spec as upstream keeps it in memory: schema, subresources, columns and selectable fields that are the same in all
 * versions stand at the top, where the API had them before it knew versions. Error texts name those places, so for a
 * CRD of one version they read `spec.validation.openAPIV3Schema...`.
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

/** Brings a normalized spec into the form of {@link HoistedSpec}. */
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
