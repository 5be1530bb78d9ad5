import {
  type ColumnType,
  compareVersionPriority,
  type FeatureGates,
  invariant,
  type JsonObject,
  type KubeObject,
  kubernetesSelectors,
  metadataString,
  ownObject,
  ownString,
  type SelectorOptions,
} from '../meta/index.ts';
import { type FieldSteps, type SchemaCache, schemaless, validatingOnly } from '../schema/index.ts';
import { crdConditions } from './conditions.ts';
import { conversionWebhookOf } from './conversion.ts';
import { type DeprecationWarnings, deprecationWarnings } from './deprecation-warning.ts';
import { compileFieldGates, type FieldGates } from './field-gates/compile-field-gates.ts';
import type { GateState } from './field-gates/gated-rule-text.ts';
import { gateStatesOf, resolveSchema } from './field-gates/resolve-schema.ts';
import type {
  PrinterColumn,
  ResourceType,
  ResourceVersion,
  ScaleSubresource,
  SelectableField,
} from './resource-type.ts';
import {
  namesOf,
  objectsOf,
  schemaOf,
  specOf,
  statusOf,
  storageVersionName,
  stringsOf,
  textOf,
  versionsOf,
} from './spec-view.ts';
import { followPath, schemasAlong, typeOf } from './validate/schema-path.ts';

/** The options for compiling a CRD. */
interface CompileResourceTypeOptions {
  /** The server's feature gates. A feature whose gate is off is not served, even if the CRD uses it. */
  readonly gates: FeatureGates;
  /** Defaults to Kubernetes' own rules. */
  readonly selectors?: SelectorOptions;
  /** Compiles the schemas of all CRDs and shares equal ones. */
  readonly schemas: SchemaCache;
  /** Loads the schema of a version if the CRD was given without schemas; called once, on first use. */
  readonly schemaOf?: (versionName: string) => JsonObject | undefined;
}

/**
 * Compiles a CRD into a resource type. The CRD must be valid and must not change afterwards. Its schemas are compiled
 * on first use.
 *
 * @throws {InvariantError} if no version is marked as the storage version.
 */
export function compileResourceType(crd: KubeObject, options: CompileResourceTypeOptions): ResourceType {
  const spec = specOf(crd);
  const warnings = deprecationWarnings(spec);
  const keepsUnknown = spec['preserveUnknownFields'] === true;
  const storageName = storageVersionName(spec);
  const stored = versionsOf(spec).find((version) => textOf(version, 'name') === storageName);
  const fieldGates = options.gates.CRDFieldLevelVersioning
    ? compileFieldGates(spec, () => stored && sourceOf(stored, options))
    : undefined;
  const stateOf = gateStates(spec, fieldGates);
  const parts = { ...options, warnings, withheldDefaults: fieldGates?.off ?? [], keepsUnknown, stateOf };
  const versions = versionsOf(spec)
    .map((version) => compileVersion(version, parts))
    .sort((a, b) => compareVersionPriority(a.name, b.name));
  const storageVersion = versions.find((version) => version.name === storageName);
  invariant(storageVersion !== undefined, 'a CustomResourceDefinition has a storage version');
  const conversion = conversionWebhookOf(spec);
  return Object.freeze({
    ...compileNames(crd),
    group: textOf(spec, 'group'),
    namespaced: spec['scope'] === 'Namespaced',
    isBuiltIn: false,
    uid: metadataString(crd, 'uid'),
    versions: Object.freeze(versions),
    storageVersion,
    ...(conversion === undefined ? {} : { conversion }),
    fieldGates,
    ...crdConditions(crd),
  });
}

/** The gate states for rules and enum values; undefined if the CRD has no gates. */
function gateStates(spec: JsonObject, gates: FieldGates | undefined): GateState | undefined {
  if (ownObject(spec, 'customFeatureGates') === undefined) return undefined;
  // With the server gate off, field gates have no effect: the gated fields are served.
  return gates === undefined ? () => true : gateStatesOf(spec);
}

/** The schema of a version, as the CRD has it. */
function sourceOf(
  version: JsonObject,
  { schemaOf: fromElsewhere }: CompileResourceTypeOptions,
): JsonObject | undefined {
  return fromElsewhere === undefined ? schemaOf(version) : fromElsewhere(textOf(version, 'name'));
}

type Names = Pick<ResourceType, 'kind' | 'listKind' | 'resource' | 'singular' | 'shortNames' | 'categories'>;

/** The accepted names once the CRD is served; before that, the requested names. */
function compileNames(crd: KubeObject): Names {
  const asked = namesOf(specOf(crd), 'names');
  const accepted = namesOf(statusOf(crd), 'acceptedNames');
  const names = crdConditions(crd).served ? accepted : asked;
  const text = (field: string) => textOf(names, field) || textOf(asked, field);
  return {
    kind: text('kind'),
    listKind: text('listKind'),
    resource: text('plural'),
    singular: text('singular'),
    shortNames: Object.freeze(stringsOf(names, 'shortNames')),
    categories: Object.freeze(stringsOf(names, 'categories')),
  };
}

/** What the compilation of every version needs. */
interface VersionParts extends CompileResourceTypeOptions {
  readonly warnings: DeprecationWarnings;
  /** Fields whose gate is off. They get no default: it would restore what the gate drops. */
  readonly withheldDefaults: readonly FieldSteps[];
  /** Tells whether gated rules and enum values apply; undefined if no gate covers any. */
  readonly stateOf: GateState | undefined;
  /** `spec.preserveUnknownFields`, a leftover of v1beta1: objects are not pruned, the schema only validates. */
  readonly keepsUnknown: boolean;
}

/** The published schema of a CRD that does not prune: it allows fields beyond the schema. */
const anything: JsonObject = Object.freeze({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

function compileVersion(version: JsonObject, parts: VersionParts): ResourceVersion {
  const { gates, schemas, selectors = kubernetesSelectors, warnings, withheldDefaults, keepsUnknown } = parts;
  const name = textOf(version, 'name');
  const source = lazily(() => {
    const written = sourceOf(version, parts);
    return written && parts.stateOf ? resolveSchema(written, parts.stateOf) : written;
  });
  const compiled = lazily(() => {
    const openAPIV3Schema = source();
    if (openAPIV3Schema === undefined) return schemaless;
    const schema = schemas.get(openAPIV3Schema, withheldDefaults);
    return keepsUnknown ? validatingOnly(schema) : schema;
  });
  const subresources = gates.CustomResourceSubResources ? ownObject(version, 'subresources') : undefined;
  return Object.freeze({
    name,
    served: version['served'] === true,
    storage: version['storage'] === true,
    deprecated: version['deprecated'] === true,
    deprecationWarning: warnings(version),
    subresources: compileSubresources(subresources),
    printerColumns: Object.freeze(objectsOf(version, 'additionalPrinterColumns').map(compileColumn)),
    selectableFields: gates.CustomResourceFieldSelectors ? compileFields(version, source, selectors) : [],
    schema: compiled,
    get openAPIV3Schema() {
      return keepsUnknown ? anything : source();
    },
  });
}

/** Computes a value on first use. If that throws, the next use tries again. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function compileSubresources(subresources: JsonObject | undefined): ResourceVersion['subresources'] {
  const status = subresources !== undefined && ownObject(subresources, 'status') !== undefined;
  const scale = subresources === undefined ? undefined : ownObject(subresources, 'scale');
  return Object.freeze({ status, scale: scale === undefined ? undefined : compileScale(scale) });
}

function compileScale(scale: JsonObject): ScaleSubresource {
  const labelSelectorPath = ownString(scale, 'labelSelectorPath') ?? '';
  return Object.freeze({
    specReplicasPath: textOf(scale, 'specReplicasPath'),
    statusReplicasPath: textOf(scale, 'statusReplicasPath'),
    ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
  });
}

/**
 * Fields with paths through lists are not served while their gate is off, even if the CRD has them. Types are read on
 * first use.
 */
function compileFields(
  version: JsonObject,
  source: () => JsonObject | undefined,
  { selectableArrayPaths }: SelectorOptions,
): SelectableField[] {
  return objectsOf(version, 'selectableFields').flatMap((field) => {
    const jsonPath = textOf(field, 'jsonPath');
    if (!selectableArrayPaths && jsonPath.includes('[*]')) return [];
    return [compileField(jsonPath, source)];
  });
}

function compileField(jsonPath: string, source: () => JsonObject | undefined): SelectableField {
  const place = lazily(() => {
    const schema = source() ?? {};
    const found = followPath(jsonPath, schema, { lists: true });
    if (typeof found === 'string') return { valueType: 'string', mayDefault: true } as const;
    const type = typeOf(found);
    const valueType = type === 'integer' || type === 'boolean' ? type : 'string';
    const mayDefault = schemasAlong(found.steps, schema).some((one) => one['default'] !== undefined);
    return { valueType, mayDefault } as const;
  });
  return Object.freeze({
    fieldPath: jsonPath.replace(/^\./, ''),
    get valueType() {
      return place().valueType;
    },
    get mayDefault() {
      return place().mayDefault;
    },
  });
}

function compileColumn(column: JsonObject): PrinterColumn {
  return Object.freeze({
    name: textOf(column, 'name'),
    type: columnType(textOf(column, 'type')),
    format: textOf(column, 'format'),
    description: textOf(column, 'description'),
    priority: typeof column['priority'] === 'number' ? column['priority'] : 0,
    jsonPath: textOf(column, 'jsonPath'),
  });
}

const columnTypes: readonly ColumnType[] = ['string', 'integer', 'number', 'boolean', 'date'];

/** Validation accepts no other type. Types stored before that check was made are shown as strings. */
function columnType(text: string): ColumnType {
  return columnTypes.find((type) => type === text) ?? 'string';
}
