import type { MergeType } from '../../apply/index.ts';
import type {
  FurtherSubresource,
  PrinterColumn,
  ResourceType,
  ResourceVersion,
  ScaleSubresource,
  SelectableField,
} from '../../crd/index.ts';
import {
  defaultFeatureGates,
  formatGroupVersion,
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
} from '../../meta/index.ts';
import { type CompiledSchema, compileSchema } from '../../schema/index.ts';
import type { Converter } from '../strategy/converter.ts';
import type { Endpoint, Strategy } from '../strategy/strategy.ts';
import { typedKind } from '../typed/typed-kind.ts';
import { completingSchema } from './completing-schema.ts';
import { checkedSchema, publishedSchema } from './derived-schema.ts';
import { publishedModels } from './published-models.ts';

/** A built-in kind: data, and code where data is not sufficient. */
export interface BuiltInKind {
  readonly type: ResourceType;
  readonly strategy: Strategy;
  /** How its fields merge, if the schema is not sufficient. */
  readonly mergeType?: MergeType;
  /** How strategic merge patch goes by its fields, where that is another way. */
  readonly patchType?: MergeType;
  /**
   * The fields that each endpoint resets and that get no owner there, as paths with dots; by default those of
   * every kind. Source: GetResetFields of the strategies in kubernetes, pkg/registry.
   */
  readonly resetFields?: Readonly<Partial<Record<Endpoint, readonly string[]>>>;
  /** The storage location of its objects, if it differs from its own resource, and the conversion from there. */
  readonly storedAs?: { readonly prefix: string; readonly converter?: Converter };
}

/** The declaration of a built-in kind. */
interface KindDescription {
  readonly group: string;
  readonly version: string;
  /** Older versions, which convert: {@link BuiltInKind.storedAs} has the converter. */
  readonly olderVersions?: readonly (Pick<KindDescription, 'version'> &
    Partial<Pick<KindDescription, 'complete' | 'columns'>>)[];
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** True for a kind that has no deletecollection. */
  readonly lacksDeleteCollection?: boolean;
  /** True for a kind that is never stored. */
  readonly isUnstored?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly status?: boolean;
  readonly scale?: ScaleSubresource;
  readonly furtherSubresources?: readonly FurtherSubresource[];
  readonly columns?: readonly PrinterColumn[];
  /** The fields that selectors may name besides those of metadata. Source: the table in KEP-4358. */
  readonly selectableFields?: readonly SelectableField[];
  /** The properties besides apiVersion, kind and metadata; those of its protobuf message where they are left out. */
  readonly properties?: JsonObject;
  /** What a decoded object gets besides the defaults of the schema; does nothing to one that has it already. */
  readonly complete?: (object: KubeObject) => void;
  /** For a kind that structural schemas cannot describe. */
  readonly schema?: () => CompiledSchema;
}

/** Makes the type of a built-in kind; its schema is compiled on first use. */
export function builtInType(description: KindDescription): ResourceType {
  const version = builtInVersion(description);
  const { group, kind, resource, namespaced, olderVersions = [] } = description;
  const older = olderVersions.map((one) => builtInVersion({ ...description, ...one }, { storage: false }));
  return Object.freeze({
    group,
    kind,
    listKind: `${kind}List`,
    resource,
    singular: kind.toLowerCase(),
    shortNames: description.shortNames ?? [],
    categories: description.categories ?? [],
    namespaced,
    lacksDeleteCollection: description.lacksDeleteCollection === true,
    isUnstored: description.isUnstored === true,
    furtherSubresources: description.furtherSubresources ?? [],
    isBuiltIn: true,
    uid: '',
    versions: [version, ...older],
    storageVersion: version,
    fieldGates: undefined,
    served: true,
    established: true,
    terminating: false,
  });
}

/** Makes the type of a kind that is posted and answered and never stored, for documents. */
export function unstoredType(
  description: Pick<KindDescription, 'group' | 'version' | 'kind' | 'resource' | 'namespaced'>,
): ResourceType {
  return builtInType({ ...description, isUnstored: true });
}

/** OpenAPI and validation use separate schemas: validation must not enforce everything that OpenAPI publishes. */
function builtInVersion(description: KindDescription, { storage = true } = {}): ResourceVersion {
  const compile = () =>
    description.schema?.() ??
    completingSchema(
      compileSchema(rootSchema(description, checkedSchema), {
        gates: defaultFeatureGates(),
        countsGenerations: false,
      }),
      {
        complete: description.complete,
        typed: typedKind(formatGroupVersion(description.group, description.version), description.kind),
      },
    );
  const apiVersion = formatGroupVersion(description.group, description.version);
  let compiled: CompiledSchema | undefined;
  let shown: JsonObject | undefined;
  return Object.freeze({
    name: description.version,
    served: true,
    storage,
    deprecated: false,
    deprecationWarning: undefined,
    subresources: { status: description.status ?? false, scale: description.scale },
    printerColumns: description.columns ?? [],
    selectableFields: description.selectableFields ?? [],
    schema: () => (compiled ??= compile()),
    get openAPIV3Schema() {
      return (shown ??= rootSchema(description, publishedSchema));
    },
    ...(description.properties === undefined && description.schema === undefined
      ? { openApiModels: () => publishedModels(apiVersion, description.kind) }
      : {}),
  });
}

function rootSchema(description: KindDescription, schemaOf: typeof checkedSchema): JsonObject {
  const { group, version, kind, properties } = description;
  const own = properties ?? schemaOf(formatGroupVersion(group, version), kind)['properties'];
  return {
    type: 'object',
    properties: {
      ...(isObject(own) ? own : {}),
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
    },
  };
}

/** A column that shows the value at a path. */
export function column(name: string, jsonPath: string, more: Partial<PrinterColumn> = {}): PrinterColumn {
  return { name, type: 'string', format: '', description: name, priority: 0, jsonPath, ...more };
}

const creationDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not ' +
  'guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is ' +
  'represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: ' +
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

/** The last column of nearly every kind. */
export const ageColumn: PrinterColumn = column('Age', '.metadata.creationTimestamp', {
  type: 'date',
  description: creationDescription,
});

/** The time of creation as it is written, for the kinds that upstream shows so. */
export const createdColumn: PrinterColumn = column('Created At', '', {
  read: (object) => own(metadataOf(object), 'creationTimestamp') ?? null,
  description: 'CreationTimestamp is a timestamp representing the server time when this object was created.',
});
