import { authorizerVariable, resourceCheckVariable } from '../libraries/authorization.ts';
import { type DeclaredType, declare, type ObjectDeclaration } from '../types/declared-type.ts';

/** The optional variables of an admission expression. */
export interface AdmissionVariables {
  /** For policies with a `paramKind`. */
  readonly params?: boolean;
  readonly authorizer?: boolean;
  /** `variables`, if any are declared. */
  readonly variables?: ObjectDeclaration | undefined;
  /** The type of `object` and `oldObject`, for type checking; dyn if omitted. */
  readonly object?: DeclaredType;
  /** The type of `params`, likewise. */
  readonly param?: DeclaredType;
}

const { string, bool, dyn, int, timestamp, list, map, object } = declare;
const texts = list(string());

const gvk = object('kubernetes.GroupVersionKind', [
  ['group', string()],
  ['version', string()],
  ['kind', string()],
]);
const gvr = object('kubernetes.GroupVersionResource', [
  ['group', string()],
  ['version', string()],
  ['resource', string()],
]);
const userInfo = object('kubernetes.UserInfo', [
  ['username', string()],
  ['uid', string()],
  ['groups', texts],
  ['extra', map(texts)],
]);

/** The AdmissionRequest without its uid and its objects. Source: apiserver, admission/plugin/cel, BuildRequestType. */
const request = object('kubernetes.AdmissionRequest', [
  ['kind', gvk],
  ['resource', gvr],
  ['subResource', string()],
  ['requestKind', gvk],
  ['requestResource', gvr],
  ['requestSubResource', string()],
  ['name', string()],
  ['namespace', string()],
  ['operation', string()],
  ['userInfo', userInfo],
  ['dryRun', bool()],
  ['options', dyn()],
]);

const namespaceMetadata = object('kubernetes.NamespaceMetadata', [
  ['name', string()],
  ['generateName', string()],
  ['namespace', string()],
  ['labels', map(string())],
  ['annotations', map(string())],
  ['UID', string()],
  ['creationTimestamp', timestamp()],
  ['deletionGracePeriodSeconds', int()],
  ['deletionTimestamp', timestamp()],
  ['generation', int()],
  ['resourceVersion', string()],
  ['finalizers', texts],
]);
const namespaceCondition = object('kubernetes.NamespaceCondition', [
  ['status', string()],
  ['type', string()],
  ['lastTransitionTime', timestamp()],
  ['message', string()],
  ['reason', string()],
]);

/** Source: apiserver, admission/plugin/cel, BuildNamespaceType. */
const namespaceObject = object(
  'kubernetes.Namespace',
  [
    ['metadata', namespaceMetadata],
    ['spec', object('kubernetes.NamespaceSpec', [['finalizers', texts]])],
    [
      'status',
      object('kubernetes.NamespaceStatus', [
        ['conditions', list(namespaceCondition)],
        ['phase', string()],
      ]),
    ],
  ],
  { nullable: true },
);

/** The variables of an expression of admission, by name. */
export function admissionVariables(options: AdmissionVariables): Readonly<Record<string, DeclaredType>> {
  const {
    params = false,
    authorizer = false,
    variables,
    object: objectType = dyn(),
    param = dyn(),
  } = options;
  return {
    object: objectType,
    oldObject: objectType,
    namespaceObject,
    request,
    ...(params ? { params: param } : {}),
    ...(authorizer
      ? { authorizer: authorizerVariable, 'authorizer.requestResource': resourceCheckVariable }
      : {}),
    ...(variables === undefined ? {} : { variables }),
  };
}
