import { applyConfigurationType, jsonPatchType, listType, type Type } from '../../cel/index.ts';
import {
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  ownObject,
  required,
  stringList,
} from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn, supported, textAt } from '../rules/field-checks.ts';
import { ExpressionChecks } from './expression-checks.ts';
import { bindingColumns, paramKindColumn } from './policy-columns.ts';
import {
  bindingHeadErrors,
  hasParams,
  type PolicyCheck,
  policyConditionsErrors,
  policyHeadErrors,
  specOf,
  variablesErrors,
} from './policy-spec-rules.ts';
import { registrationStrategy } from './registration-strategy.ts';

/** A way in which a mutation says what it changes. */
interface PatchForm {
  readonly patchType: string;
  /** The field that has its expression. */
  readonly field: string;
  readonly returnType: Type;
}

const patchForms: readonly PatchForm[] = [
  { patchType: 'ApplyConfiguration', field: 'applyConfiguration', returnType: applyConfigurationType },
  { patchType: 'JSONPatch', field: 'jsonPatch', returnType: listType(jsonPatchType) },
];
const reinvocationPolicies = ['IfNeeded', 'Never'];
/** A connect has an object as well, which a policy may change. */
const operations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

function policyErrors(
  policy: KubeObject,
  old: KubeObject | undefined,
  environments: RuleEnvironments,
): FieldError[] {
  const spec = specOf(policy);
  const checks = new ExpressionChecks(environments, {
    composes: (ownList(spec, 'variables') ?? []).length > 0,
  });
  const check = { spec, oldSpec: old && specOf(old), checks, environments };
  const reinvocation = own(spec, 'reinvocationPolicy');
  return [
    ...policyHeadErrors(spec),
    ...operationsErrors(ownObject(spec, 'matchConstraints'), 'spec.matchConstraints'),
    ...policyConditionsErrors(check),
    // Upstream remembers stored validations and none of a mutating policy, so that a variable is always a new one.
    ...variablesErrors(check, new Set()),
    ...mutationsErrors(check),
    ...(textAt(spec, 'reinvocationPolicy') === ''
      ? [required('spec.reinvocationPolicy')]
      : supported('spec.reinvocationPolicy', reinvocation, reinvocationPolicies)),
  ];
}

/** Only what has an object can be changed. */
function operationsErrors(match: JsonObject | undefined, path: string): FieldError[] {
  return (ownList(match ?? {}, 'resourceRules') ?? [])
    .flatMap((rule) => (isObject(rule) ? stringList(own(rule, 'operations')) : []))
    .filter((operation) => !operations.includes(operation))
    .map((operation) => notSupported(`${path}.resourceRules.operations`, operation, operations));
}

function mutationsErrors(check: PolicyCheck): FieldError[] {
  const { spec } = check;
  if ((ownList(spec, 'mutations') ?? []).length === 0)
    return [required('spec.mutations', 'mutations must contain at least one item')];
  const stored = storedApplies(check.oldSpec);
  return eachIn('spec', spec, 'mutations', (mutation, path) => mutationErrors(mutation, path, check, stored));
}

function mutationErrors(
  mutation: JsonObject,
  path: string,
  check: PolicyCheck,
  stored: ReadonlySet<string>,
): FieldError[] {
  const patchType = textAt(mutation, 'patchType');
  if (patchType === '') return [required(`${path}.patchType`)];
  const form = patchForms.find((one) => one.patchType === patchType);
  if (form === undefined) {
    const known = patchForms.map((one) => one.patchType);
    return [notSupported(`${path}.patchType`, patchType, known)];
  }
  const patch = ownObject(mutation, form.field);
  const others = patchForms.filter((one) => one !== form && ownObject(mutation, one.field) !== undefined);
  return [
    ...(patch === undefined
      ? [required(`${path}.${form.field}`, `must be specified when patchType is ${patchType}`)]
      : patchErrors(patch, `${path}.${form.field}.expression`, { form, check, stored })),
    ...others.map(({ field }) =>
      invalid(`${path}.${field}`, `{${field}}`, `must not be specified when patchType is ${patchType}`),
    ),
  ];
}

function patchErrors(
  patch: JsonObject,
  path: string,
  { form, check, stored }: { form: PatchForm; check: PolicyCheck; stored: ReadonlySet<string> },
): FieldError[] {
  const source = textAt(patch, 'expression');
  const trimmed = source.trim();
  if (trimmed === '') return [required(path)];
  return check.checks.errors(path, trimmed, {
    params: hasParams(check.spec),
    authorizer: true,
    patches: true,
    isStored: stored.has(source),
    returnTypes: [form.returnType],
  });
}

/** Upstream looks among the stored apply configurations for JSON patches, too. */
function storedApplies(oldSpec: JsonObject | undefined): ReadonlySet<string> {
  const mutations = (ownList(oldSpec ?? {}, 'mutations') ?? []).filter(isObject);
  return new Set(
    mutations.map((mutation) => textAt(ownObject(mutation, 'applyConfiguration') ?? {}, 'expression')),
  );
}

export function mutatingAdmissionPolicyKind(environments: RuleEnvironments): BuiltInKind {
  return {
    strategy: registrationStrategy({
      counted: 'spec',
      errors: (policy, old) => policyErrors(policy, old, environments),
    }),
    type: builtInType({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      kind: 'MutatingAdmissionPolicy',
      resource: 'mutatingadmissionpolicies',
      namespaced: false,
      categories: ['api-extensions'],
      columns: [
        column('Mutations', '', {
          type: 'integer',
          read: (policy) => (ownList(specOf(policy), 'mutations') ?? []).length,
          description: 'Mutation indicates the number of mutations rules defined in this configuration',
        }),
        paramKindColumn,
        ageColumn,
      ],
    }),
  };
}

function bindingErrors(binding: KubeObject): FieldError[] {
  const spec = specOf(binding);
  return [
    ...bindingHeadErrors(spec),
    ...operationsErrors(ownObject(spec, 'matchResources'), 'spec.matchResources'),
  ];
}

export const mutatingAdmissionPolicyBindingKind: BuiltInKind = {
  strategy: registrationStrategy({ counted: 'spec', errors: bindingErrors }),
  type: builtInType({
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'MutatingAdmissionPolicyBinding',
    resource: 'mutatingadmissionpolicybindings',
    namespaced: false,
    categories: ['api-extensions'],
    columns: bindingColumns,
  }),
};
