import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../../auth/index.ts';
import { type AuthorizationRequest, CelAuthorizer } from '../../cel/index.ts';
import {
  type FieldRequirement,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  type UserInfo,
} from '../../meta/index.ts';

/** Thrown through an evaluation that needs a pending answer. */
export class AnswerPending extends Error {
  readonly answer: Promise<void>;

  constructor(answer: Promise<void>) {
    super('the authorizer has not answered yet');
    this.answer = answer;
  }
}

/**
 * Lets synchronous expressions call an asynchronous authorizer: a question without an immediate answer aborts the
 * evaluation with {@link AnswerPending}, and is answered from the cache when the expression is evaluated again.
 */
export class ExpressionAuthorizer {
  readonly #authorizer: Authorizer;
  readonly #user: UserInfo;
  readonly #answers = new Map<string, AuthorizationDecision>();
  readonly value: CelAuthorizer;

  constructor(authorizer: Authorizer, user: UserInfo) {
    this.#authorizer = authorizer;
    this.#user = user;
    this.value = new CelAuthorizer((request) => this.#ask(request));
  }

  #ask(request: AuthorizationRequest) {
    const key = JSON.stringify(request);
    const decision = this.#answers.get(key) ?? this.#decide(request, key);
    const { verdict, reason, evaluationError } = decision;
    const allowed = verdict === 'allow';
    return evaluationError === undefined || allowed
      ? { allowed, reason }
      : { allowed, reason, error: evaluationError };
  }

  #decide(request: AuthorizationRequest, key: string): AuthorizationDecision {
    const answer = this.#authorizer.authorize(attributesOf(request, this.#user));
    if (!(answer instanceof Promise)) return answer;
    throw new AnswerPending(answer.then((decision) => void this.#answers.set(key, decision)));
  }
}

function attributesOf(
  { verb, serviceAccount, path, resource }: AuthorizationRequest,
  user: UserInfo,
): AuthorizationAttributes {
  const asked = serviceAccount === undefined ? user : serviceAccountUser(serviceAccount);
  if (resource === undefined) return { user: asked, verb, resource: undefined, path: path ?? '' };
  const { group, subresource, namespace, name } = resource;
  const fieldSelector = fieldRequirements(resource.fieldSelector);
  const labelSelector = labelRequirements(resource.labelSelector);
  return {
    user: asked,
    verb,
    path: '',
    // Source: apiserver, pkg/cel/library/authz.go: the version is any.
    resource: {
      group,
      version: '*',
      resource: resource.resource,
      subresource,
      namespace,
      name,
      ...(fieldSelector && { fieldSelector }),
      ...(labelSelector && { labelSelector }),
    },
  };
}

function serviceAccountUser({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
}

function fieldRequirements(text: string): readonly FieldRequirement[] | undefined {
  return text === '' ? undefined : readable(() => parseFieldSelector(text).requirements);
}

function labelRequirements(text: string): readonly LabelRequirement[] | undefined {
  return text === '' ? undefined : readable(() => parseLabelSelector(text).requirements);
}

/** An invalid selector does not narrow the question. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
