import type { GroupResource, JsonObject, KubeObject } from '../../meta/index.ts';
import type { AdmissionAttributes, AdmissionScope } from '../attributes.ts';
import type { ResourceList } from '../resources/resource-list.ts';

/** A requirement of a quota's `scopes` or `scopeSelector`. */
export interface ScopeRequirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Counts what objects of one resource use of a quota. Source: apiserver, pkg/quota/v1, Evaluator. */
export interface QuotaCounter {
  readonly resource: GroupResource;
  /** Whether it counts for a name in `hard`. */
  counts(name: string): boolean;
  /** Whether such a write may change what is used; deletes are noticed by the controller. */
  handles(scope: Pick<AdmissionScope, 'operation' | 'subresource'>): boolean;
  /** Whether a write that it handles does change it; left out where every one does. */
  concerns?(write: Pick<AdmissionAttributes, 'operation' | 'subresource' | 'object' | 'oldObject'>): boolean;
  /** How much of each name an object uses. */
  usage(object: KubeObject): ResourceList;
  /** Whether an object is in a scope; left out where it is in none. */
  isInScope?(requirement: ScopeRequirement, object: JsonObject): boolean;
  /** What the object should have said of these names in `hard`, as a text; undefined where nothing is missing. */
  missing?(names: readonly string[], object: KubeObject): string | undefined;
}
