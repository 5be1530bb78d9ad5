import {
  checkPathSegment,
  duplicate,
  type FieldError,
  invalid,
  type JsonObject,
  notSupported,
  own,
  ownObject,
  required,
  stringList,
} from '../../meta/index.ts';
import { eachIn, invalidAs } from '../rules/field-checks.ts';
import { checkBy, type ItemRule, itemRuleErrors } from '../rules/field-rules.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';

/** Source: kubernetes, pkg/apis/admissionregistration/validation. */

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];
export const failurePolicies = ['Fail', 'Ignore'];
export const matchPolicies = ['Equivalent', 'Exact'];
export const reinvocationPolicies = ['IfNeeded', 'Never'];

/** The rules for `rules` of webhooks and policies, which match operations and resources. */
const ruleRules: readonly ItemRule[] = [
  { path: 'operations', required: true },
  operationsErrors,
  { path: 'apiGroups', required: true },
  alone('apiGroups', 'API groups'),
  { path: 'apiVersions', required: true },
  alone('apiVersions', 'API versions'),
  (rule, path) =>
    stringList(own(rule, 'apiVersions')).flatMap((version, index) =>
      version === '' ? [required(`${path}.apiVersions[${index}]`)] : [],
    ),
  { path: 'resources', required: true },
  resourcesErrors,
  { path: 'scope', oneOf: scopes },
];

/** The errors of a rule of a webhook. */
export const ruleErrors = checkBy(ruleRules);

/** The rules about `matchConstraints` of a policy and `matchResources` of a binding. */
const matchRules: readonly ItemRule[] = [
  { path: 'matchPolicy', present: true, oneOf: matchPolicies },
  { path: 'namespaceSelector', present: true },
  selector('namespaceSelector'),
  { path: 'objectSelector', present: true },
  selector('objectSelector'),
  (match, path) => eachIn(path, match, 'resourceRules', namedRuleErrors),
  (match, path) => eachIn(path, match, 'excludeResourceRules', namedRuleErrors),
];

/** The errors of `matchConstraints` of a policy, or of `matchResources` of a binding. */
export function matchResourcesErrors(match: JsonObject | undefined, path: string): FieldError[] {
  return match === undefined ? [] : itemRuleErrors(matchRules, match, path);
}

/** A field with a label selector. */
export function selector(field: string) {
  return (owner: JsonObject, path: string) =>
    labelSelectorErrors(`${path}.${field}`, ownObject(owner, field));
}

function operationsErrors(rule: JsonObject, path: string): FieldError[] {
  const known = (one: string, index: number) =>
    operations.includes(one) ? [] : [notSupported(`${path}.operations[${index}]`, one, operations)];
  return [
    ...alone('operations', 'operations')(rule, path),
    ...stringList(own(rule, 'operations')).flatMap(known),
  ];
}

/** A list with `*` has no other items. */
function alone(field: 'operations' | 'apiGroups' | 'apiVersions', what: string) {
  return (rule: JsonObject, path: string): FieldError[] => {
    const given = stringList(own(rule, field));
    if (given.length <= 1 || !given.includes('*')) return [];
    return [invalid(`${path}.${field}`, given, `if '*' is present, must not specify other ${what}`)];
  };
}

function resourcesErrors(rule: JsonObject, rulePath: string): FieldError[] {
  const [resources, path] = [stringList(own(rule, 'resources')), `${rulePath}.resources`];
  const plain = resources.filter((one) => !one.includes('/') && one !== '');
  const alone = "if '*/*' is present, must not specify other resources";
  const mixed = "if '*' is present, must not specify other resources without subresources";
  // Upstream checks only the last resource without subresource.
  const hasPlain = plain.length > 0 && plain.at(-1) !== '*';
  return [
    ...subresourceErrors(resources, path),
    ...(resources.length > 1 && resources.includes('*/*') ? [invalid(path, resources.slice(), alone)] : []),
    ...(resources.includes('*') && hasPlain ? [invalid(path, resources.slice(), mixed)] : []),
  ];
}

function subresourceErrors(resources: readonly string[], path: string): FieldError[] {
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  return resources.flatMap((text, index) => {
    const at = `${path}[${index}]`;
    if (text === '') return [required(at)];
    const slash = text.indexOf('/');
    if (slash < 0) return [];
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    const taken = [
      ...(wholeResources.has(resource) ? [`${resource}/*`] : []),
      ...(wholeSubresources.has(subresource) ? [`*/${subresource}`] : []),
    ];
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
    return taken.map((one) => invalid(at, text, `if '${one}' is present, must not specify ${text}`));
  });
}

function namedRuleErrors(rule: JsonObject, path: string): FieldError[] {
  const seen = new Set<string>();
  const names = stringList(own(rule, 'resourceNames')).flatMap((name, index) => {
    const at = `${path}.resourceNames[${index}]`;
    const isTwin = seen.has(name);
    seen.add(name);
    return [...invalidAs(at, name, checkPathSegment), ...(isTwin ? [duplicate(at, name)] : [])];
  });
  return [...names, ...ruleErrors(rule, path)];
}
