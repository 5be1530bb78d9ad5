import type { GroupResource, JsonObject, KubeObject } from '../../meta/index.ts';
import type { Operation } from '../attributes.ts';

/** How much of each of its names an object uses, in whole units. */
export type Usage = ReadonlyMap<string, number>;

/** A requirement of a quota's `scopes` or `scopeSelector`. */
export interface ScopeRequirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Counts what objects of one resource use of a quota. Source: apiserver, pkg/quota/v1, Evaluator. */
export interface QuotaCounter {
  readonly resource: GroupResource;
  /** The names in `hard` that it counts for. */
  readonly names: readonly string[];
  /** The writes that change what is used; deletes are noticed by the controller. */
  readonly operations: readonly Operation[];
  usage(object: KubeObject): Usage;
  /** Whether an object is in a scope; left out where it is in none. */
  isInScope?(requirement: ScopeRequirement, object: JsonObject): boolean;
}
