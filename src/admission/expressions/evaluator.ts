import type { Authorizer } from '../../auth/index.ts';
import {
  type Bindings,
  type Compiled,
  type CostBudget,
  type Evaluation,
  requestResourceCheck,
} from '../../cel/index.ts';
import type { JsonObject, JsonValue, KubeObject } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { admissionRequest, type MatchedResource } from './admission-request.ts';
import { AnswerPending, ExpressionAuthorizer } from './expression-authorizer.ts';

/** What expressions see of a write. */
export interface ExpressionInput {
  readonly attributes: AdmissionAttributes;
  readonly matchedAs: MatchedResource;
  /** In the version of `matchedAs`. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly namespaceObject?: JsonObject | undefined;
  readonly params?: JsonValue | undefined;
  readonly authorizer: Authorizer;
}

/** The values of the variables that all expressions have. */
export function bindingsOf(input: ExpressionInput): Bindings {
  const { attributes, matchedAs, object, oldObject, namespaceObject, params, authorizer } = input;
  const { value } = new ExpressionAuthorizer(authorizer, attributes.user);
  return {
    object: object ?? null,
    oldObject: oldObject ?? null,
    namespaceObject: namespaceObject ?? null,
    request: admissionRequest(attributes, matchedAs),
    params: params ?? null,
    authorizer: value,
    'authorizer.requestResource': requestResourceCheck(value, {
      group: attributes.resource.group,
      resource: attributes.resource.resource,
      subresource: attributes.subresource,
      namespace: attributes.namespace,
      name: attributes.name,
      fieldSelector: '',
      labelSelector: '',
    }),
  };
}

/** Evaluates an expression, again and again while it asks an authorizer that has yet to answer. */
export async function evaluate(
  { program }: Compiled,
  bindings: Bindings,
  budget: CostBudget,
): Promise<Evaluation> {
  for (;;) {
    try {
      return program.evaluate(bindings, { budget });
    } catch (error) {
      if (!(error instanceof AnswerPending)) throw error;
      await error.answer;
    }
  }
}
