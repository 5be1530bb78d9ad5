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

/** What a CRD is compiled with. */
interface CompileResourceTypeOptions {
  /** A gate that is off is not served, even where the CRD has its fields. */
  readonly gates: FeatureGates;
  /** Kubernetes' own rules where they are left out. */
  readonly selectors?: SelectorOptions;
  /** Where the schemas of all CRDs are compiled, so that equal ones are compiled once. */
  readonly schemas: SchemaCache;
  /** The schema of a version, where the CRD comes without its schemas; asked for once, on first use. */
  readonly schemaOf?: (versionName: string) => JsonObject | undefined;
}

/**
 * Turns a CRD into what serves it. The CRD must have been validated and must not be changed afterwards; its schemas
 * are compiled when they are first used.
 *
 * @throws {InvariantError} where no version is marked as the storage version.
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

/** The states of the gates for rules and values; undefined where there are none. */
function gateStates(spec: JsonObject, gates: FieldGates | undefined): GateState | undefined {
  if (ownObject(spec, 'customFeatureGates') === undefined) return undefined;
  // With the server gate off, gates do nothing: what they guard is there.
  return gates === undefined ? () => true : gateStatesOf(spec);
}

/** The schema of a version as it is written. */
function sourceOf(
  version: JsonObject,
  { schemaOf: fromElsewhere }: CompileResourceTypeOptions,
): JsonObject | undefined {
  return fromElsewhere === undefined ? schemaOf(version) : fromElsewhere(textOf(version, 'name'));
}

type Names = Pick<ResourceType, 'kind' | 'listKind' | 'resource' | 'singular' | 'shortNames' | 'categories'>;

/** The accepted names once the CRD is served; before, the names it asks for. */
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

/** What all versions of a CRD are compiled with. */
interface VersionParts extends CompileResourceTypeOptions {
  readonly warnings: DeprecationWarnings;
  /** Fields whose gate is off: a default would bring back what the gate drops. */
  readonly withheldDefaults: readonly FieldSteps[];
  /** Whether rules and values of enums count; undefined where no gate guards any. */
  readonly stateOf: GateState | undefined;
  /** A relic of v1beta1: nothing is pruned, and the schema only validates. */
  readonly keepsUnknown: boolean;
}

/** What is published where nothing is pruned: that there is more than the schema says. */
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

/** Makes a value when it is first asked for; what throws is tried again. */
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

/** Paths through lists are not served where they are off, even where the CRD has them. Types are read on first use. */
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

/** Validation lets no other type through; one that was stored before it was checked shows as text. */
function columnType(text: string): ColumnType {
  return columnTypes.find((type) => type === text) ?? 'string';
}
