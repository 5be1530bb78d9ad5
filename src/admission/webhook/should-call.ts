import type { Authorizer } from '../../auth/index.ts';
import { forbiddenError, StatusError } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { WriteValues } from '../expressions/evaluator.ts';
import type { MatchedResource } from '../expressions/admission-request.ts';
import { matchRules } from '../matching/match-rules.ts';
import { type FindNamespace, matchesNamespace, matchesObject } from '../matching/selectors.ts';
import type { VersionedObjects } from '../matching/versioned-objects.ts';
import type { Webhook } from './webhook.ts';

/** The inputs of the decision besides the write. */
export interface MatchParts {
  readonly findNamespace: FindNamespace;
  readonly authorizer: Authorizer;
}

/**
 * As what a webhook is to see a write; undefined where it is not to be asked about it.
 * Source: apiserver, webhook/generic/webhook.go, ShouldCallHook.
 *
 * @throws {StatusError} 404 for a namespace that is not there, 403 for match conditions that fail
 */
export async function shouldCall(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  { objects, parts }: { readonly objects: VersionedObjects; readonly parts: MatchParts },
): Promise<MatchedResource | undefined> {
  const namespace = await matchesNamespace(webhook.selectors, attributes, parts.findNamespace);
  if (namespace === false || !matchesObject(webhook.selectors, attributes)) return undefined;
  const matchedAs = matchRules(webhook.rules, attributes, { equivalent: webhook.matchesEquivalent });
  if (matchedAs === undefined) return undefined;
  if (namespace instanceof StatusError) throw namespace;
  if (webhook.conditions.isEmpty) return matchedAs;
  const { object, oldObject } = await objects.in(matchedAs.kind);
  const request = new WriteValues(attributes, parts.authorizer).as(matchedAs);
  const result = await webhook.conditions.match({ request, object, oldObject });
  if ('matches' in result) return result.matches ? matchedAs : undefined;
  if (webhook.failsOpen) return undefined;
  throw forbiddenError(attributes.resource, attributes.name, result.error);
}
