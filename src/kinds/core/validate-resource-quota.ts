import {
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  required,
  stringList,
} from '../../meta/index.ts';
import { compareQuantities, isFraction } from '../rules/field-checks.ts';
import { resourceNameErrors } from '../rules/validate-resources.ts';

/** Source: kubernetes, pkg/apis/core/validation, ValidateResourceQuota, and pkg/apis/core/helper. */

const ofPods = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory', 'pods'];
const ofClaims = ['persistentvolumeclaims', 'requests.storage'];
/** Names whose amounts are whole numbers. */
const counted = [
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
];
/** Names without a domain that a quota may limit. */
const standard: ReadonlySet<string> = new Set([
  ...[...ofPods, ...ofClaims, ...counted],
  ...['ephemeral-storage', 'requests.ephemeral-storage', 'limits.ephemeral-storage'],
]);

/** The standard names that a quota with a scope may limit. */
const namesInScope: ReadonlyMap<string, readonly string[]> = new Map([
  ['Terminating', ofPods],
  ['NotTerminating', ofPods],
  ['BestEffort', ['pods']],
  ['NotBestEffort', ofPods],
  ['PriorityClass', ofPods],
  ['CrossNamespacePodAffinity', ofPods],
  ['VolumeAttributesClass', ofClaims],
]);
const conflicting = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const withoutValues = [
  ...['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'],
];

const specOf = (quota: KubeObject): JsonObject => ownObject(quota, 'spec') ?? {};

export function quotaErrors(quota: KubeObject): FieldError[] {
  const spec = specOf(quota);
  const selector = ownObject(spec, 'scopeSelector');
  return [
    ...amountsErrors(spec, 'hard', 'spec'),
    ...scopesErrors(spec),
    ...(selector === undefined ? [] : selectorErrors(spec, selector)),
  ];
}

export function quotaChangeErrors(quota: KubeObject, old: KubeObject): FieldError[] {
  const [scopes, before] = [quota, old].map((one) => stringList(own(specOf(one), 'scopes')));
  const shown = (list: readonly string[] | undefined) => [...new Set(list)].sort().join(',');
  if (shown(scopes) === shown(before)) return [];
  return [invalid('spec.scopes', own(specOf(quota), 'scopes') ?? null, 'field is immutable')];
}

export function quotaStatusErrors(quota: KubeObject): FieldError[] {
  const status = ownObject(quota, 'status') ?? {};
  return [...amountsErrors(status, 'hard', 'status'), ...amountsErrors(status, 'used', 'status')];
}

function isStandard(name: string): boolean {
  return standard.has(name) || /^(requests\.)?hugepages-/.test(name);
}

/** Names with a domain that is not Kubernetes' own are counted in whole numbers. */
function isCounted(name: string): boolean {
  const isOfOthers = name.includes('/') && !name.includes('kubernetes.io/');
  return counted.includes(name) || (isOfOthers && !name.startsWith('requests.'));
}

function amountsErrors(owner: JsonObject, field: string, path: string): FieldError[] {
  return Object.entries(ownObject(owner, field) ?? {}).flatMap(([name, value]) => {
    const at = `${path}.${field}[${name}]`;
    return [
      ...resourceNameErrors(at, name),
      ...(name.includes('/') || isStandard(name)
        ? []
        : [invalid(at, name, 'must be a standard resource for quota')]),
      ...(compareQuantities(value) < 0 ? [invalid(at, value, 'must be greater than or equal to 0')] : []),
      ...(isCounted(name) && isFraction(value) ? [invalid(at, value, 'must be an integer')] : []),
    ];
  });
}

/** What is wrong with one scope: its name, and each amount that has nothing to do with it. */
function scopeErrors(
  spec: JsonObject,
  scope: string,
  at: { readonly name: readonly [string, JsonValue]; readonly amounts: readonly [string, JsonValue] },
): FieldError[] {
  const names = namesInScope.get(scope);
  if (names === undefined) return [invalid(...at.name, 'unsupported scope')];
  const limited = Object.keys(ownObject(spec, 'hard') ?? {}).filter(isStandard);
  return limited
    .filter((name) => !names.includes(name))
    .map(() => invalid(...at.amounts, 'unsupported scope applied to resource'));
}

function conflictErrors(path: string, value: JsonValue, scopes: readonly string[]): FieldError[] {
  return conflicting
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalid(path, value, 'conflicting scopes'));
}

function scopesErrors(spec: JsonObject): FieldError[] {
  const scopes = stringList(own(spec, 'scopes'));
  const at = ['spec.scopes', scopes] as const;
  return [
    ...scopes.flatMap((scope) => scopeErrors(spec, scope, { name: at, amounts: at })),
    ...conflictErrors(...at, scopes),
  ];
}

function selectorErrors(spec: JsonObject, selector: JsonObject): FieldError[] {
  const path = 'spec.scopeSelector.matchExpressions';
  const requirements = (ownList(selector, 'matchExpressions') ?? []).filter(isObject);
  const scopeOf = (one: JsonObject) => ownString(one, 'scopeName') ?? '';
  const errors = requirements.flatMap((one) => {
    const name = [`${path}.scopeName`, scopeOf(one)] as const;
    const amounts = [path, asGoShows(requirements)] as const;
    return [...scopeErrors(spec, scopeOf(one), { name, amounts }), ...operatorErrors(path, one)];
  });
  const scopes = own(spec, 'scopes') ?? null;
  return [...errors, ...conflictErrors(path, scopes, requirements.map(scopeOf))];
}

/** Upstream shows its internal type, whose fields have no names in JSON. */
function asGoShows(requirements: readonly JsonObject[]): JsonValue {
  const shown = requirements.map((one) => ({
    ScopeName: own(one, 'scopeName') ?? '',
    Operator: own(one, 'operator') ?? '',
    Values: own(one, 'values') ?? null,
  }));
  return { MatchExpressions: shown };
}

function operatorErrors(path: string, requirement: JsonObject): FieldError[] {
  const operator = ownString(requirement, 'operator') ?? '';
  const values = stringList(own(requirement, 'values'));
  const errors: FieldError[] = [];
  if (withoutValues.includes(ownString(requirement, 'scopeName') ?? '') && operator !== 'Exists')
    errors.push(invalid(`${path}.operator`, operator, mustExist));
  const at = `${path}.values`;
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) errors.push(required(at, why));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) errors.push(invalid(at, values, why));
  } else errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  return errors;
}

const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
