import type { ColumnType, JsonObject, JsonValue, KubeObject } from '../meta/index.ts';
import type { CompiledSchema } from '../schema/index.ts';
import type { ConversionWebhookConfig } from './conversion.ts';
import type { FieldGates } from './field-gates/compile-field-gates.ts';

/** A column of `kubectl get`, from `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  /** In the notation of the CRD, with the leading dot: `.spec.replicas`. */
  readonly jsonPath: string;
  /** For built-in kinds, where a cell is not always what stands at a path; takes the place of the path. */
  readonly read?: (object: KubeObject) => JsonValue;
}

/** Where `/scale` finds its numbers, as the CRD gives them: `.spec.replicas`. */
export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
  /** For built-in kinds, whose selector is no text in the object; takes the place of the path. */
  readonly readSelector?: (object: KubeObject) => string;
}

/** A field that selectors may name. */
export interface SelectableField {
  /** As selectors name it, and where its value stands unless `read` says otherwise: `spec.color`. */
  readonly fieldPath: string;
  /** What its values are before they are read as texts; a string where it is left out. */
  readonly valueType?: 'string' | 'integer' | 'boolean';
  /** True where the schema has a default for the field or for what it stands in: absent may not mean empty. */
  readonly mayDefault?: boolean;
  /** For built-in kinds, where the value is not what stands at the path. */
  readonly read?: (object: KubeObject) => string;
  /** For built-in kinds: what the value is where the object says nothing. */
  readonly default?: string;
  /** For built-in kinds whose value would surprise: where it comes from. */
  readonly description?: string;
}

/** An endpoint that shows a whole object and changes a part of it. */
export interface FurtherSubresource {
  readonly name: string;
  /** In the order of discovery. */
  readonly verbs: readonly ('get' | 'patch' | 'update')[];
}

/** One version of a resource, ready to serve. Frozen; a change of the CRD makes new ones. */
export interface ResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  /** The warning to send on every request; undefined where the version is not deprecated. */
  readonly deprecationWarning: string | undefined;
  readonly subresources: { readonly status: boolean; readonly scale: ScaleSubresource | undefined };
  readonly printerColumns: readonly PrinterColumn[];
  /** Besides `metadata.name` and `metadata.namespace`, which every kind has. */
  readonly selectableFields: readonly SelectableField[];
  /** Compiled on first use, then kept. */
  schema(): CompiledSchema;
  /** The OpenAPI v3 schema as the CRD gives it, for documents; undefined where the CRD has none. Read on first use. */
  readonly openAPIV3Schema: KubeObject | undefined;
  /**
   * For built-in kinds: the same in pieces that refer to each other, in the notation of OpenAPI 3, by the names that
   * clients know them by; the whole object's is among them. Made on first use.
   */
  readonly openApiModels?: () => ReadonlyMap<string, JsonObject>;
}

/** A resource that can be served: what a CustomResourceDefinition means. Frozen. */
export interface ResourceType {
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  /** The plural, as URLs name it. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** True for a kind whose objects go one by one: upstream serves no deletecollection of namespaces. */
  readonly lacksDeleteCollection?: boolean;
  /** Endpoints of an object besides `/status` and `/scale`, of a built-in kind. */
  readonly furtherSubresources?: readonly FurtherSubresource[];
  /** False for a custom resource. */
  readonly isBuiltIn: boolean;
  /** The uid of the CRD: a CRD that is deleted and created again is another resource. Empty for built-in kinds. */
  readonly uid: string;
  /** What the names of its schemas in documents begin with, where its group does not tell: `io.k8s.metrics.pkg.apis`. */
  readonly schemaHome?: string;
  /** In the order of discovery: v2, v1, v1beta1, ... */
  readonly versions: readonly ResourceVersion[];
  readonly storageVersion: ResourceVersion;
  /** Who converts between the versions; left out where they differ in name only. */
  readonly conversion?: ConversionWebhookConfig;
  /** The gates on fields, which act on objects in the storage version; undefined where there are none. */
  readonly fieldGates: FieldGates | undefined;
  /** False until the names are accepted; then it is served. */
  readonly served: boolean;
  /** True once discovery may show it. */
  readonly established: boolean;
  /** True while the CRD is being deleted: nothing may be created. */
  readonly terminating: boolean;
}
