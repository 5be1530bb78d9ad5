import { applyConfigurationType, jsonPatchType, listType, type Type } from '../../cel/index.ts';
import {
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  notSupported,
  own,
  ownList,
  ownObject,
  required,
  stringList,
} from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import type { BuiltInKind } from '../definition/kind.ts';
import { eachIn, textAt } from '../rules/field-checks.ts';
import { policyBindingKind, policyKind } from './policy-kind.ts';
import {
  hasParams,
  type PolicyCheck,
  policyConditionsErrors,
  type PolicyRule,
  specOf,
  variablesErrors,
} from './policy-spec-rules.ts';
import { reinvocationPolicies } from './validate-rules.ts';

/** A type of mutation. */
interface PatchForm {
  readonly patchType: string;
  /** The field with its expression. */
  readonly field: string;
  readonly returnType: Type;
}

const patchForms: readonly PatchForm[] = [
  { patchType: 'ApplyConfiguration', field: 'applyConfiguration', returnType: applyConfigurationType },
  { patchType: 'JSONPatch', field: 'jsonPatch', returnType: listType(jsonPatchType) },
];
/** Only operations with an object; a connect has one, which a policy may change. */
const operations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

const rules: readonly PolicyRule[] = [
  ({ spec }) => operationsErrors(spec, 'matchConstraints'),
  policyConditionsErrors,
  // Upstream compares variables with stored validations, and a mutating policy has none, so variables are always new.
  (check) => variablesErrors(check, new Set()),
  { path: 'spec.mutations', required: 'mutations must contain at least one item' },
  mutationsErrors,
  { path: 'spec.reinvocationPolicy', required: true, oneOf: reinvocationPolicies },
];

function operationsErrors(spec: JsonObject, field: string): FieldError[] {
  return (ownList(ownObject(spec, field) ?? {}, 'resourceRules') ?? [])
    .flatMap((rule) => (isObject(rule) ? stringList(own(rule, 'operations')) : []))
    .filter((operation) => !operations.includes(operation))
    .map((operation) => notSupported(`spec.${field}.resourceRules.operations`, operation, operations));
}

function mutationsErrors(check: PolicyCheck): FieldError[] {
  const stored = storedApplies(check.oldSpec);
  return eachIn('spec', check.spec, 'mutations', (mutation, path) =>
    mutationErrors(mutation, path, check, stored),
  );
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

/** The stored apply configurations; as upstream, JSON patches are compared with these too. */
function storedApplies(oldSpec: JsonObject | undefined): ReadonlySet<string> {
  const mutations = (ownList(oldSpec ?? {}, 'mutations') ?? []).filter(isObject);
  return new Set(
    mutations.map((mutation) => textAt(ownObject(mutation, 'applyConfiguration') ?? {}, 'expression')),
  );
}

export function mutatingAdmissionPolicyKind(environments: RuleEnvironments): BuiltInKind {
  const description = 'Mutation indicates the number of mutations rules defined in this configuration';
  return policyKind(
    {
      kind: 'MutatingAdmissionPolicy',
      resource: 'mutatingadmissionpolicies',
      counts: { list: 'mutations', column: 'Mutations', description },
      rules,
    },
    environments,
  );
}

export const mutatingAdmissionPolicyBindingKind = policyBindingKind({
  kind: 'MutatingAdmissionPolicyBinding',
  resource: 'mutatingadmissionpolicybindings',
  rules: [(binding) => operationsErrors(specOf(binding), 'matchResources')],
});
