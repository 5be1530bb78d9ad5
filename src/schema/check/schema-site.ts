import type { FeatureGates, FieldError, FieldPath, JsonValue } from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { SchemaDocument } from './schema-document.ts';
import type { SchemaTrail } from './schema-trail.ts';

/** A step from a schema to a child that describes a part of the value. */
export interface SchemaStep {
  readonly schema: SchemaDocument;
  readonly keyword: 'properties' | 'additionalProperties' | 'items' | 'x-kubernetes-property-names';
  /** The name of the property. */
  readonly name?: string;
}

/** A schema and its location. */
export interface SchemaSite {
  readonly schema: SchemaDocument;
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** True below `apiVersion`, `kind` and `metadata` of a resource. */
  readonly insideMetadata: boolean;
  /** Why defaults are forbidden here: `in top-level metadata`; undefined if they are allowed. */
  readonly defaultsForbidden: string | undefined;
  /** The outermost schema whose values have no corresponding old value: `oldSelf` is invalid there. */
  readonly uncorrelatable: FieldPath | undefined;
  /** The steps from the root; undefined inside of `allOf` and the like, whose rules are not compiled. */
  readonly trail: SchemaTrail | undefined;
}

/** Checks the expressions of `x-kubernetes-validations` of a valid schema. */
export type CheckRules = (site: SchemaSite) => FieldError[];

/** Checks the total cost of all rules, after each was checked; `path` is that of the whole schema. */
export type CheckRuleTotals = (path: FieldPath) => FieldError[];

/** Runs the rules of a schema on its default. */
export type CheckDefaultRules = (node: SchemaNode, value: JsonValue, path: FieldPath) => FieldError[];

/** The requirements on a schema; an update does not enforce those that the old schema violates. */
export interface SchemaDemands {
  readonly structural: boolean;
  readonly validTypes: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly soundListKeys: boolean;
}

/** The dependencies of a check. */
export interface SchemaCheck {
  readonly gates: FeatureGates;
  readonly demands: SchemaDemands;
  readonly checkRules: CheckRules | undefined;
  readonly checkDefaultRules: CheckDefaultRules | undefined;
}
