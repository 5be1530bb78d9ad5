import {
  checkDns1035Label,
  checkDnsSubdomain,
  checkPathSegment,
  equal,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  ownObject,
  parseGroupVersion,
  required,
} from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { eachIn, invalidAs, supported, textAt } from '../rules/field-checks.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';
import { type ExpressionChecks, expressionsIn, matchConditionsErrors } from './expression-checks.ts';
import { failurePolicies, matchResourcesErrors } from './validate-rules.ts';

/** What policies of both kinds have in common. Source: kubernetes, pkg/apis/admissionregistration/validation. */

/** What a policy is checked with. */
export interface PolicyCheck {
  readonly spec: JsonObject;
  readonly oldSpec: JsonObject | undefined;
  readonly checks: ExpressionChecks;
  readonly environments: RuleEnvironments;
}

export function specOf(object: KubeObject): JsonObject {
  return ownObject(object, 'spec') ?? {};
}

/** True where the policy has parameters. */
export function hasParams(spec: JsonObject): boolean {
  return ownObject(spec, 'paramKind') !== undefined;
}

/** Mistakes in what comes before the expressions of a policy. */
export function policyHeadErrors(spec: JsonObject): FieldError[] {
  const failurePolicy = own(spec, 'failurePolicy');
  const paramKind = ownObject(spec, 'paramKind');
  return [
    ...(failurePolicy === undefined
      ? [required('spec.failurePolicy')]
      : supported('spec.failurePolicy', failurePolicy, failurePolicies)),
    ...(paramKind === undefined ? [] : paramKindErrors(paramKind)),
    ...constraintsErrors(ownObject(spec, 'matchConstraints')),
  ];
}

function constraintsErrors(constraints: JsonObject | undefined): FieldError[] {
  const path = 'spec.matchConstraints';
  if (constraints === undefined) return [required(path)];
  const rules = ownList(constraints, 'resourceRules') ?? [];
  return [
    ...matchResourcesErrors(constraints, path),
    ...(rules.length === 0 ? [required(`${path}.resourceRules`)] : []),
  ];
}

function paramKindErrors(paramKind: JsonObject): FieldError[] {
  const [path, kind] = ['spec.paramKind', textAt(paramKind, 'kind')];
  const wrong = checkDns1035Label(kind.toLowerCase());
  const form = 'may have mixed case, but should otherwise match: ';
  return [
    ...apiVersionErrors(`${path}.apiVersion`, textAt(paramKind, 'apiVersion')),
    ...(kind === '' ? [required(`${path}.kind`)] : []),
    ...(kind !== '' && wrong.length > 0 ? [invalid(`${path}.kind`, kind, form + wrong.join(', '))] : []),
  ];
}

function apiVersionErrors(path: string, apiVersion: string): FieldError[] {
  if (apiVersion === '') return [required(path)];
  const parsed = apiVersion === '/' ? { group: '', version: '' } : parseGroupVersion(apiVersion);
  if (parsed === undefined)
    return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const { group, version } = parsed;
  const wrongGroup = group === '' ? [] : checkDnsSubdomain(group);
  const groupErrors = wrongGroup.length > 0 ? [invalid(path, group, wrongGroup.join(','))] : [];
  if (version === '') return [...groupErrors, invalid(path, apiVersion, 'version must be specified')];
  const wrong = checkDns1035Label(version);
  return [...groupErrors, ...(wrong.length > 0 ? [invalid(path, version, wrong.join(','))] : [])];
}

/** Mistakes in the match conditions; none where neither they nor the kind of parameters changed. */
export function policyConditionsErrors({ spec, oldSpec, environments }: PolicyCheck): FieldError[] {
  const isSame = (field: string) => equal(own(spec, field) ?? null, own(oldSpec ?? {}, field) ?? null);
  if (oldSpec !== undefined && isSame('paramKind') && isSame('matchConditions')) return [];
  return matchConditionsErrors(spec, 'spec', {
    environments,
    params: hasParams(spec),
    stored: expressionsIn(oldSpec, 'matchConditions', 'expression'),
  });
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reserved: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

/** Mistakes in the variables, in order: each may use those before it. */
export function variablesErrors({ spec, checks }: PolicyCheck, stored: ReadonlySet<string>): FieldError[] {
  return eachIn('spec', spec, 'variables', (variable, path) => {
    const [name, expression] = [textAt(variable, 'name'), textAt(variable, 'expression')];
    const isName = identifier.test(name) && !reserved.has(name);
    const check = { params: hasParams(spec), authorizer: true, isStored: stored.has(expression) };
    return [
      ...(name.trim() === '' ? [required(`${path}.name`, 'name is not specified')] : []),
      ...(name.trim() !== '' && !isName
        ? [invalid(`${path}.name`, name, 'must be a valid CEL identifier')]
        : []),
      ...(expression.trim() === ''
        ? [required(`${path}.expression`, 'expression is not specified')]
        : checks.variableErrors(`${path}.expression`, name, expression, check)),
    ];
  });
}

/** Mistakes in what bindings of both kinds have. */
export function bindingHeadErrors(spec: JsonObject): FieldError[] {
  const policyName = textAt(spec, 'policyName');
  return [
    ...(policyName === ''
      ? [required('spec.policyName')]
      : invalidAs('spec.policyName', policyName, checkDnsSubdomain)),
    ...paramRefErrors(ownObject(spec, 'paramRef')),
    ...matchResourcesErrors(ownObject(spec, 'matchResources'), 'spec.matchResources'),
  ];
}

function paramRefErrors(ref: JsonObject | undefined): FieldError[] {
  if (ref === undefined) return [];
  const [path, name, selector] = ['spec.paramRef', textAt(ref, 'name'), ownObject(ref, 'selector')];
  const exclusive = 'name and selector are mutually exclusive';
  const isBoth = name !== '' && selector !== undefined;
  return [
    ...(name === '' ? [] : invalidAs(`${path}.name`, name, checkPathSegment)),
    ...(isBoth ? [forbidden(`${path}.name`, exclusive)] : []),
    ...labelSelectorErrors(`${path}.selector`, selector),
    ...(isBoth ? [forbidden(`${path}.selector`, exclusive)] : []),
    ...(name === '' && selector === undefined
      ? [required(path, 'one of name or selector must be specified')]
      : []),
    ...notFoundActionErrors(ref, `${path}.parameterNotFoundAction`),
  ];
}

function notFoundActionErrors(ref: JsonObject, path: string): FieldError[] {
  const action = textAt(ref, 'parameterNotFoundAction');
  if (action === '') return [required(path)];
  const actions = ['Deny', 'Allow'];
  return actions.includes(action) ? [] : [notSupported(path, action, actions)];
}
