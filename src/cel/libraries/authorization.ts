import { actualSize } from '../cost/actual-size.ts';
import { fixedCost, unitCost } from '../cost/builders.ts';
import { listCreateCost, stringFactor, structCreateCost } from '../cost/constants.ts';
import type { CallCost } from '../cost/function-costs.ts';
import { add, fixed, type Range, scale } from '../cost/size.ts';
import { type FunctionDeclaration, memberOverload } from '../functions/function.ts';
import { instance, string } from '../functions/param.ts';
import { declare, type ScalarDeclaration } from '../types/declared-type.ts';
import { boolType, stringType, structType } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import { CelOpaque } from '../values/opaque.ts';
import type { Result, Value } from '../values/value.ts';
import { namedFormats } from './format/named-formats.ts';
import type { Library } from './library.ts';

/** An authorization check: a verb on a path or a resource. */
export interface AuthorizationRequest {
  readonly verb: string;
  /** The service account to check, if it is not the user of the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
  readonly path?: string;
  readonly resource?: ResourceAttributes;
}

/** The resource as described by the expression; omitted fields are ''. */
export interface ResourceAttributes {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** The decision on a check. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

export type Authorize = (request: AuthorizationRequest) => AuthorizationDecision;

/** Values that contain a check or a decision never equal each other. */
abstract class AuthorizationValue extends CelOpaque {
  equals(other: Value): boolean {
    return other === this;
  }
}

/** The value of the variable `authorizer`. */
export class CelAuthorizer extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly authorize: Authorize;
  readonly serviceAccount: AuthorizationRequest['serviceAccount'];

  constructor(authorize: Authorize, serviceAccount?: AuthorizationRequest['serviceAccount']) {
    super();
    this.authorize = authorize;
    this.serviceAccount = serviceAccount;
  }

  ask(request: Omit<AuthorizationRequest, 'serviceAccount'>): Decision {
    return new Decision(this.authorize({ ...request, serviceAccount: this.serviceAccount }));
  }
}

class PathCheck extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly authorizer: CelAuthorizer;
  readonly path: string;

  constructor(authorizer: CelAuthorizer, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheck extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly authorizer: CelAuthorizer;
  readonly group: string;

  constructor(authorizer: CelAuthorizer, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

class ResourceCheck extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly authorizer: CelAuthorizer;
  readonly attributes: ResourceAttributes;

  constructor(authorizer: CelAuthorizer, attributes: ResourceAttributes) {
    super();
    this.authorizer = authorizer;
    this.attributes = attributes;
  }
}

class Decision extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }
}

const authorizerType = structType('kubernetes.authorization.Authorizer');
const pathCheckType = structType('kubernetes.authorization.PathCheck');
const groupCheckType = structType('kubernetes.authorization.GroupCheck');
const resourceCheckType = structType('kubernetes.authorization.ResourceCheck');
const decisionType = structType('kubernetes.authorization.Decision');

const authorizer = instance(authorizerType, CelAuthorizer);
const resourceCheck = instance(resourceCheckType, ResourceCheck);
const decision = instance(decisionType, Decision);

/** The declaration of the variable `authorizer`. */
export const authorizerVariable: ScalarDeclaration = declare.value(authorizerType);

/** The declaration of `authorizer.requestResource`. */
export const resourceCheckVariable: ScalarDeclaration = declare.value(resourceCheckType);

/** The value of `authorizer.requestResource`: a check of the request's resource without a verb. */
export function requestResourceCheck(authorizer: CelAuthorizer, attributes: ResourceAttributes): CelOpaque {
  return new ResourceCheck(authorizer, attributes);
}

function checkPath(value: CelAuthorizer, path: string): Result {
  return path.trim() === '' ? new CelError('path must not be empty') : new PathCheck(value, path);
}

function asServiceAccount(value: CelAuthorizer, namespace: string, name: string): Result {
  const isValid = (format: string, text: string): boolean =>
    namedFormats.get(format)?.validate(text).length === 0;
  if (!isValid('dns1123Subdomain', name)) return new CelError('Invalid service account name');
  if (!isValid('dns1123Label', namespace)) return new CelError('Invalid service account namespace');
  return new CelAuthorizer(value.authorize, { namespace, name });
}

function checkResource({ authorizer: value, group }: GroupCheck, resource: string): ResourceCheck {
  const rest = { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };
  return new ResourceCheck(value, { group, resource, ...rest });
}

/** A function that sets one attribute of a resource check. */
function attribute(name: keyof ResourceAttributes, id: string): FunctionDeclaration {
  const set = (check: ResourceCheck, text: string): Result =>
    new ResourceCheck(check.authorizer, { ...check.attributes, [name]: text });
  return { name, overloads: [memberOverload(id, [resourceCheck, string], resourceCheckType, set)] };
}

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'path',
    overloads: [memberOverload('authorizer_path', [authorizer, string], pathCheckType, checkPath)],
  },
  {
    name: 'group',
    overloads: [
      memberOverload(
        'authorizer_group',
        [authorizer, string],
        groupCheckType,
        (value, group) => new GroupCheck(value, group),
      ),
    ],
  },
  {
    name: 'serviceAccount',
    overloads: [
      memberOverload(
        'authorizer_serviceaccount',
        [authorizer, string, string],
        authorizerType,
        asServiceAccount,
      ),
    ],
  },
  {
    name: 'resource',
    overloads: [
      memberOverload(
        'groupcheck_resource',
        [instance(groupCheckType, GroupCheck), string],
        resourceCheckType,
        checkResource,
      ),
    ],
  },
  attribute('subresource', 'resourcecheck_subresource'),
  attribute('namespace', 'resourcecheck_namespace'),
  attribute('name', 'resourcecheck_name'),
  {
    name: 'check',
    overloads: [
      memberOverload(
        'pathcheck_check',
        [instance(pathCheckType, PathCheck), string],
        decisionType,
        (check, verb) => check.authorizer.ask({ verb, path: check.path }),
      ),
      memberOverload('resourcecheck_check', [resourceCheck, string], decisionType, (check, verb) =>
        check.authorizer.ask({ verb, resource: check.attributes }),
      ),
    ],
  },
  {
    name: 'errored',
    overloads: [
      memberOverload('decision_errored', [decision], boolType, (value) => value.decision.error !== undefined),
    ],
  },
  {
    name: 'error',
    overloads: [
      memberOverload('decision_error', [decision], stringType, (value) => value.decision.error ?? ''),
    ],
  },
  {
    name: 'allowed',
    overloads: [memberOverload('decision_allowed', [decision], boolType, (value) => value.decision.allowed)],
  },
  {
    name: 'reason',
    overloads: [memberOverload('decision_reason', [decision], stringType, (value) => value.decision.reason)],
  },
];

/** Kubernetes' authorizer library. Its variable is only declared for admission policies. */
export function authorizationLibrary(): Library {
  return {
    name: 'kubernetes.authz',
    functions,
    types: [authorizerType, pathCheckType, groupCheckType, resourceCheckType, decisionType],
    costs: {
      functions: {
        check: fixedCost(350_000),
        ...Object.fromEntries(unitFunctions.map((name) => [name, unitCost])),
      },
    },
  };
}

const unitFunctions = [
  'serviceAccount',
  'path',
  'group',
  'resource',
  'subresource',
  'namespace',
  'name',
  'allowed',
  'reason',
  'error',
  'errored',
];

/** A selector is parsed, and every second character may be a requirement. */
function selectorRange(length: Range): Range {
  const requirements = scale(scale(length, 0.5), listCreateCost + structCreateCost);
  return add(fixed(listCreateCost), scale(length, stringFactor), requirements);
}

const selectorCost: CallCost = {
  estimate: ({ args: [selector], sizeOf }) => selector && { cost: selectorRange(sizeOf(selector)) },
  actual: ({ args: [, selector = null] }) => Number(selectorRange(fixed(actualSize(selector))).max),
};

/** Selectors in resource checks. */
export function authorizationSelectors(): Library {
  return {
    name: 'kubernetes.authzSelectors',
    functions: [
      attribute('fieldSelector', 'authorizer_fieldselector'),
      attribute('labelSelector', 'authorizer_labelselector'),
    ],
    types: [authorizerType, resourceCheckType],
    costs: { functions: { fieldSelector: selectorCost, labelSelector: selectorCost } },
  };
}
