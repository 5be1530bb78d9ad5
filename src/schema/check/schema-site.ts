import type { FeatureGates, FieldError, FieldPath, JsonValue } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { SchemaDocument } from './schema-document.ts';
import type { SchemaTrail } from './schema-trail.ts';

/** One step from a schema to a schema in it that describes a part of the value. */
export interface SchemaStep {
  readonly schema: SchemaDocument;
  readonly keyword: 'properties' | 'additionalProperties' | 'items' | 'x-kubernetes-property-names';
  /** The name of the property. */
  readonly name?: string;
}

/** A schema at its place in the whole. */
export interface SchemaSite {
  readonly schema: SchemaDocument;
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** True below `apiVersion`, `kind` and `metadata` of a resource. */
  readonly insideMetadata: boolean;
  /** Why there may be no default here: `in top-level metadata`; undefined where there may. */
  readonly defaultsForbidden: string | undefined;
  /** The outermost schema whose values have no old value to compare with: there `oldSelf` makes no sense. */
  readonly uncorrelatable: FieldPath | undefined;
  /** The way from the root; undefined inside of `allOf` and its like, whose rules are not compiled. */
  readonly trail: SchemaTrail | undefined;
}

/** Checks the expressions of `x-kubernetes-validations` at a site whose schema is sound. */
export type CheckRules = (site: SchemaSite) => FieldError[];

/** Checks what all rules together cost, after each was checked at its site; `path` is that of the whole schema. */
export type CheckRuleTotals = (path: FieldPath) => FieldError[];

/** Runs the rules of a schema on its own default. */
export type CheckDefaultRules = (node: SchemaNode, value: JsonValue, path: FieldPath) => FieldError[];

/** The requirements on a schema; an update does not enforce those that the old schema violates. */
export interface SchemaDemands {
  readonly structural: boolean;
  readonly validTypes: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly soundListKeys: boolean;
}

/** What a check needs besides the schema. */
export interface SchemaCheck {
  readonly gates: FeatureGates;
  readonly demands: SchemaDemands;
  readonly checkRules: CheckRules | undefined;
  readonly checkDefaultRules: CheckDefaultRules | undefined;
}
