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
  own,
  ownList,
  ownObject,
  parseGroupVersion,
  required,
} from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { eachIn, textAt } from '../rules/field-checks.ts';
import {
  type FieldRule,
  fieldRuleErrors,
  type ItemRule,
  itemRuleErrors,
  type KindRule,
} from '../rules/field-rules.ts';
import { ExpressionChecks, expressionsIn, matchConditionsErrors } from './expression-checks.ts';
import { failurePolicies, matchResourcesErrors, selector } from './validate-rules.ts';

/** The rules that policies of both kinds share. Source: kubernetes, pkg/apis/admissionregistration/validation. */

/** A policy under validation. */
export interface PolicyCheck {
  readonly policy: KubeObject;
  readonly spec: JsonObject;
  readonly oldSpec: JsonObject | undefined;
  readonly checks: ExpressionChecks;
  readonly environments: RuleEnvironments;
}

/** A rule of a policy: a row, or a function for what rows cannot express. */
export type PolicyRule = FieldRule | ((check: PolicyCheck) => readonly FieldError[]);

/** The errors of a policy, in the order of the rules. */
export function policyErrors(
  rules: readonly PolicyRule[],
  { policy, old }: { readonly policy: KubeObject; readonly old: KubeObject | undefined },
  environments: RuleEnvironments,
): FieldError[] {
  const spec = specOf(policy);
  const composes = (ownList(spec, 'variables') ?? []).length > 0;
  const checks = new ExpressionChecks(environments, { composes });
  const check = { policy, spec, oldSpec: old && specOf(old), checks, environments };
  return rules.flatMap((rule) =>
    typeof rule === 'function' ? rule(check) : fieldRuleErrors([rule], policy),
  );
}

export function specOf(object: KubeObject): JsonObject {
  return ownObject(object, 'spec') ?? {};
}

/** True if the policy has parameters. */
export function hasParams(spec: JsonObject): boolean {
  return ownObject(spec, 'paramKind') !== undefined;
}

const paramKindRules: readonly ItemRule[] = [
  apiVersionErrors,
  { path: 'kind', required: true, check: checkKind },
];

/** The rules before those about the expressions of a policy. */
export const policyHeadRules: readonly PolicyRule[] = [
  { path: 'spec.failurePolicy', present: true, oneOf: failurePolicies },
  ({ spec }) => itemErrors(paramKindRules, ownObject(spec, 'paramKind'), 'spec.paramKind'),
  { path: 'spec.matchConstraints', present: true },
  constraintsErrors,
];

function constraintsErrors({ spec }: PolicyCheck): FieldError[] {
  const [constraints, path] = [ownObject(spec, 'matchConstraints'), 'spec.matchConstraints'];
  return [
    ...matchResourcesErrors(constraints, path),
    ...itemErrors([{ path: 'resourceRules', required: true }], constraints, path),
  ];
}

/** The errors of an optional object. */
function itemErrors(rules: readonly ItemRule[], item: JsonObject | undefined, path: string): FieldError[] {
  return item === undefined ? [] : itemRuleErrors(rules, item, path);
}

function checkKind(kind: string): string[] {
  const wrong = checkDns1035Label(kind.toLowerCase());
  const form = 'may have mixed case, but should otherwise match: ';
  return wrong.length === 0 ? [] : [form + wrong.join(', ')];
}

function apiVersionErrors(paramKind: JsonObject, paramKindPath: string): FieldError[] {
  const [apiVersion, path] = [textAt(paramKind, 'apiVersion'), `${paramKindPath}.apiVersion`];
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

/** The errors of the match conditions; none if neither they nor the kind of parameters changed. */
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

/** The errors of the variables, in order: each may use those before it. */
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

const exclusive = 'name and selector are mutually exclusive';
const hasBoth = (ref: JsonObject) => textAt(ref, 'name') !== '' && ownObject(ref, 'selector') !== undefined;
const hasNone = (ref: JsonObject) => textAt(ref, 'name') === '' && ownObject(ref, 'selector') === undefined;

const paramRefRules: readonly ItemRule[] = [
  { path: 'name', check: checkPathSegment },
  (ref, path) => (hasBoth(ref) ? [forbidden(`${path}.name`, exclusive)] : []),
  selector('selector'),
  (ref, path) => (hasBoth(ref) ? [forbidden(`${path}.selector`, exclusive)] : []),
  (ref, path) => (hasNone(ref) ? [required(path, 'one of name or selector must be specified')] : []),
  { path: 'parameterNotFoundAction', required: true, oneOf: ['Deny', 'Allow'] },
];

/** The rules that bindings of both kinds share. */
export const bindingHeadRules: readonly KindRule[] = [
  { path: 'spec.policyName', required: true, check: checkDnsSubdomain },
  (binding) => itemErrors(paramRefRules, ownObject(specOf(binding), 'paramRef'), 'spec.paramRef'),
  (binding) => matchResourcesErrors(ownObject(specOf(binding), 'matchResources'), 'spec.matchResources'),
];
