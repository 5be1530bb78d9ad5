import { isObject, type JsonObject, ownList, ownString, StatusError } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { matchRules } from './match-rules.ts';
import { type Rule, ruleOf } from './rules.ts';
import {
  type FindNamespace,
  matchesNamespace,
  matchesObject,
  type Selectors,
  selectorsOf,
} from './selectors.ts';

/** `matchConstraints` of a policy, or `matchResources` of a binding. */
export interface MatchResources {
  readonly rules: readonly Rule[];
  readonly excluded: readonly Rule[];
  readonly selectors: Selectors;
  readonly equivalent: boolean;
}

export function matchResourcesOf(match: JsonObject): MatchResources {
  const rules = (field: string) => (ownList(match, field) ?? []).filter(isObject).map(ruleOf);
  return Object.freeze({
    rules: rules('resourceRules'),
    excluded: rules('excludeResourceRules'),
    selectors: selectorsOf(match),
    equivalent: ownString(match, 'matchPolicy') !== 'Exact',
  });
}

/**
 * The resource as which a policy or a binding matches a write; undefined if it does not match. Source: apiserver,
 * policy/matching/matching.go.
 *
 * @throws {StatusError} 404 for a missing namespace, if everything else matches
 */
export function matchResources(
  { rules, excluded, selectors, equivalent }: MatchResources,
  attributes: AdmissionAttributes,
  findNamespace: FindNamespace,
): MatchedResource | undefined | Promise<MatchedResource | undefined> {
  if (!matchesObject(selectors, attributes)) return undefined;
  if (matchRules(excluded, attributes, { equivalent }) !== undefined) return undefined;
  const { resource, kind } = attributes;
  const matchedAs = rules.length === 0 ? { resource, kind } : matchRules(rules, attributes, { equivalent });
  if (matchedAs === undefined) return undefined;
  const matching = matchesNamespace(selectors, attributes, findNamespace);
  if (!(matching instanceof Promise)) return matching ? matchedAs : undefined;
  return matching.then((namespace) => {
    if (namespace instanceof StatusError) throw namespace;
    return namespace ? matchedAs : undefined;
  });
}
