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
import { eachIn, invalidAs, supported } from '../rules/field-checks.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';

/** What rules of webhooks and policies are held to. Source: kubernetes, pkg/apis/admissionregistration/validation. */

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];
export const failurePolicies = ['Fail', 'Ignore'];
export const matchPolicies = ['Equivalent', 'Exact'];
export const reinvocationPolicies = ['IfNeeded', 'Never'];

/** Mistakes in a rule, operations included. */
export function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  return [
    ...operationsErrors(rule, `${path}.operations`),
    ...wildcardErrors(rule, path, 'apiGroups', 'API groups'),
    ...wildcardErrors(rule, path, 'apiVersions', 'API versions'),
    ...stringList(own(rule, 'apiVersions')).flatMap((version, index) =>
      version === '' ? [required(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...resourcesErrors(stringList(own(rule, 'resources')), `${path}.resources`),
    ...supported(`${path}.scope`, own(rule, 'scope'), scopes),
  ];
}

function operationsErrors(rule: JsonObject, path: string): FieldError[] {
  const given = stringList(own(rule, 'operations'));
  const text = "if '*' is present, must not specify other operations";
  return [
    ...(given.length === 0 ? [required(path)] : []),
    ...(given.length > 1 && given.includes('*') ? [invalid(path, given, text)] : []),
    ...given.flatMap((one, index) =>
      operations.includes(one) ? [] : [notSupported(`${path}[${index}]`, one, operations)],
    ),
  ];
}

function wildcardErrors(
  rule: JsonObject,
  path: string,
  field: 'apiGroups' | 'apiVersions',
  what: string,
): FieldError[] {
  const given = stringList(own(rule, field));
  const text = `if '*' is present, must not specify other ${what}`;
  return [
    ...(given.length === 0 ? [required(`${path}.${field}`)] : []),
    ...(given.length > 1 && given.includes('*') ? [invalid(`${path}.${field}`, given, text)] : []),
  ];
}

function resourcesErrors(resources: readonly string[], path: string): FieldError[] {
  const plain = resources.filter((one) => !one.includes('/') && one !== '');
  const alone = "if '*/*' is present, must not specify other resources";
  const mixed = "if '*' is present, must not specify other resources without subresources";
  // Upstream asks the last of the plain ones only.
  const hasPlain = plain.length > 0 && plain.at(-1) !== '*';
  return [
    ...(resources.length === 0 ? [required(path)] : []),
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

/** Mistakes in `matchConstraints` of a policy, or in `matchResources` of a binding. */
export function matchResourcesErrors(match: JsonObject | undefined, path: string): FieldError[] {
  if (match === undefined) return [];
  const policy = own(match, 'matchPolicy');
  return [
    ...(policy === undefined
      ? [required(`${path}.matchPolicy`)]
      : supported(`${path}.matchPolicy`, policy, matchPolicies)),
    ...requiredSelectorErrors(match, path, 'namespaceSelector'),
    ...requiredSelectorErrors(match, path, 'objectSelector'),
    ...eachIn(path, match, 'resourceRules', namedRuleErrors),
    ...eachIn(path, match, 'excludeResourceRules', namedRuleErrors),
  ];
}

function requiredSelectorErrors(match: JsonObject, path: string, field: string): FieldError[] {
  const selector = ownObject(match, field);
  return selector === undefined
    ? [required(`${path}.${field}`)]
    : labelSelectorErrors(`${path}.${field}`, selector);
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
