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
  /** In the CRD's notation, with the leading dot: `.spec.replicas`. */
  readonly jsonPath: string;
  /** For built-in kinds whose cell is not the value at a path; replaces the path. */
  readonly read?: (object: KubeObject) => JsonValue;
}

/** Where `/scale` finds its numbers, as paths of the CRD: `.spec.replicas`. */
export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
  /** For built-in kinds whose selector is not a string in the object; replaces the path. */
  readonly readSelector?: (object: KubeObject) => string;
}

/** A field that field selectors may use. */
export interface SelectableField {
  /** Its name in selectors, and the path of its value unless `read` is set: `spec.color`. */
  readonly fieldPath: string;
  /** The type of its values before they become strings; defaults to string. */
  readonly valueType?: 'string' | 'integer' | 'boolean';
  /** True if the schema has a default for the field or one of its parents: absent may not mean empty. */
  readonly mayDefault?: boolean;
  /** For built-in kinds whose value is not at the path. */
  readonly read?: (object: KubeObject) => string;
  /** For built-in kinds: the value if the object has none. */
  readonly default?: string;
  /** For built-in kinds: the source of the value, where it is not obvious. */
  readonly description?: string;
}

/** An endpoint that returns a whole object and changes a part of it. */
export interface FurtherSubresource {
  readonly name: string;
  /** In discovery order. */
  readonly verbs: readonly ('get' | 'patch' | 'update')[];
}

/** One version of a resource, ready to serve. Frozen; a changed CRD makes new ones. */
export interface ResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  /** The warning for every request; undefined if the version is not deprecated. */
  readonly deprecationWarning: string | undefined;
  readonly subresources: { readonly status: boolean; readonly scale: ScaleSubresource | undefined };
  readonly printerColumns: readonly PrinterColumn[];
  /** Besides `metadata.name` and `metadata.namespace`, which every kind has. */
  readonly selectableFields: readonly SelectableField[];
  /** Compiled on first use and kept. */
  schema(): CompiledSchema;
  /** The OpenAPI v3 schema of the CRD, for documents; undefined if the CRD has none. Read on first use. */
  readonly openAPIV3Schema: KubeObject | undefined;
  /**
   * For built-in kinds: the same schema as OpenAPI 3 components that refer to each other, by the names that clients
   * know, including the whole object's. Made on first use.
   */
  readonly openApiModels?: () => ReadonlyMap<string, JsonObject>;
}

/** A resource that can be served, compiled from a CustomResourceDefinition. Frozen. */
export interface ResourceType {
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  /** The plural name, as in URLs. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** True for a kind without deletecollection, as namespaces upstream. */
  readonly lacksDeleteCollection?: boolean;
  /** True for a kind that is posted and answered and never stored, as reviews. */
  readonly isUnstored?: boolean;
  /** Endpoints of an object of a built-in kind, besides `/status` and `/scale`. */
  readonly furtherSubresources?: readonly FurtherSubresource[];
  /** True for a built-in kind, false for a custom resource. */
  readonly isBuiltIn: boolean;
  /** The uid of the CRD: a CRD that was deleted and created again is another resource. Empty for built-in kinds. */
  readonly uid: string;
  /** The prefix of its schema names in documents, if the group does not imply it: `io.k8s.metrics.pkg.apis`. */
  readonly schemaHome?: string;
  /** In discovery order: v2, v1, v1beta1, ... */
  readonly versions: readonly ResourceVersion[];
  readonly storageVersion: ResourceVersion;
  /** The webhook that converts between versions; absent if they differ only in name. */
  readonly conversion?: ConversionWebhookConfig;
  /** The gates on fields, which apply to objects in the storage version; undefined if there are none. */
  readonly fieldGates: FieldGates | undefined;
  /** False until the names are accepted; the resource is served from then on. */
  readonly served: boolean;
  /** True once discovery may list it. */
  readonly established: boolean;
  /** True while the CRD is being deleted: creates are refused. */
  readonly terminating: boolean;
}
