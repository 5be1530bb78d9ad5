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

/** The variables of expressions about a write. */
export interface ExpressionInput {
  readonly request: RequestValues;
  /** In the version that the write was matched as. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly namespaceObject?: JsonObject | undefined;
  readonly params?: JsonValue | undefined;
}

/** The values shared by all expressions about a write. */
interface RequestValues {
  readonly request: JsonObject;
  readonly authorizer: unknown;
  readonly requestResource: unknown;
  /** The write; it is notified of evaluations. */
  readonly write: Pick<AdmissionAttributes, 'operation' | 'record'>;
}

/** Makes the values of a write once per matched resource, for all policies and webhooks. */
export class WriteValues {
  readonly #attributes: AdmissionAttributes;
  readonly #authorizer: ExpressionAuthorizer['value'];
  readonly #requestResource: unknown;
  readonly #known = new Map<MatchedResource['resource'], RequestValues>();

  constructor(attributes: AdmissionAttributes, authorizer: Authorizer) {
    this.#attributes = attributes;
    this.#authorizer = new ExpressionAuthorizer(authorizer, attributes.user).value;
    const { resource, subresource, namespace, name } = attributes;
    this.#requestResource = requestResourceCheck(this.#authorizer, {
      group: resource.group,
      resource: resource.resource,
      subresource,
      namespace,
      name,
      fieldSelector: '',
      labelSelector: '',
    });
  }

  as(matched: MatchedResource): RequestValues {
    const known = this.#known.get(matched.resource);
    if (known !== undefined) return known;
    const made = {
      request: admissionRequest(this.#attributes, matched),
      authorizer: this.#authorizer,
      requestResource: this.#requestResource,
      write: this.#attributes,
    };
    this.#known.set(matched.resource, made);
    return made;
  }
}

/** The values of the variables that expressions have; all in one shape, which generated code reads fastest. */
export interface AdmissionBindings {
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly namespaceObject: unknown;
  readonly request: unknown;
  readonly params: unknown;
  readonly authorizer: unknown;
  readonly 'authorizer.requestResource': unknown;
  /** Undefined where none are declared. */
  variables: unknown;
  readonly [name: string]: unknown;
}

/** The values of the variables that all expressions have. */
export function bindingsOf(input: ExpressionInput): AdmissionBindings {
  const { request: values, object, oldObject, namespaceObject, params } = input;
  return {
    object: object ?? null,
    oldObject: oldObject ?? null,
    namespaceObject: namespaceObject ?? null,
    request: values.request,
    params: params ?? null,
    authorizer: values.authorizer,
    'authorizer.requestResource': values.requestResource,
    variables: undefined,
  };
}

/**
 * Evaluates an expression, repeatedly while an authorizer it calls answers asynchronously; synchronously if it calls
 * none, the usual case.
 */
export function evaluate(
  compiled: Compiled,
  bindings: Bindings,
  budget: CostBudget,
): Evaluation | Promise<Evaluation> {
  try {
    return evaluateNow(compiled, bindings, budget);
  } catch (error) {
    if (!(error instanceof AnswerPending)) throw error;
    return error.answer.then(() => evaluate(compiled, bindings, budget));
  }
}

/**
 * Evaluates an expression.
 *
 * @throws {AnswerPending} if an authorizer that it calls answers asynchronously
 */
export function evaluateNow(compiled: Compiled, bindings: Bindings, budget: CostBudget): Evaluation {
  const evaluation = compiled.program.evaluate(bindings, { budget });
  budget.observer?.({ program: compiled.program, bindings, evaluation });
  return evaluation;
}
