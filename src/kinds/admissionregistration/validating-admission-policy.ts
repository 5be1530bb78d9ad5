import { boolType, nullType, stringType } from '../../cel/index.ts';
import {
  checkLabelKey,
  duplicate,
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  nameOf,
  own,
  ownList,
  ownObject,
  required,
  stringList,
} from '../../meta/index.ts';
import type { RuleEnvironments } from '../../schema/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { conditionsErrors } from '../policy/validate-conditions.ts';
import { eachIn, eachItem, invalidAs, supported, textAt } from '../rules/field-checks.ts';
import { ExpressionChecks, expressionsIn } from './expression-checks.ts';
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

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const auditAnnotationsMax = 20;
const valueExpressionBytesMax = 5 * 1024;

function policyErrors(
  policy: KubeObject,
  old: KubeObject | undefined,
  environments: RuleEnvironments,
): FieldError[] {
  const spec = specOf(policy);
  const composes = (ownList(spec, 'variables') ?? []).length > 0;
  const checks = new ExpressionChecks(environments, { composes });
  const check = { spec, oldSpec: old && specOf(old), checks, environments };
  const stored = expressionsIn(check.oldSpec, 'validations', 'expression');
  return [
    ...policyHeadErrors(spec),
    ...policyConditionsErrors(check),
    ...variablesErrors(check, stored),
    ...contentErrors(nameOf(policy), check, stored),
  ];
}

function contentErrors(name: string, check: PolicyCheck, stored: ReadonlySet<string>): FieldError[] {
  const { spec } = check;
  const annotations = ownList(spec, 'auditAnnotations');
  const count = annotations?.length ?? 0;
  if ((ownList(spec, 'validations') ?? []).length === 0 && count === 0) {
    const text = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', text), required('spec.auditAnnotations', text)];
  }
  const text = `must not have more than ${auditAnnotationsMax} auditAnnotations`;
  return [
    ...eachIn('spec', spec, 'validations', (one, path) => validationErrors(one, path, check, stored)),
    ...(count > auditAnnotationsMax ? [invalid('spec.auditAnnotations', annotations, text)] : []),
    ...annotationsErrors(name, check),
  ];
}

function validationErrors(
  validation: JsonObject,
  path: string,
  { spec, oldSpec, checks }: PolicyCheck,
  stored: ReadonlySet<string>,
): FieldError[] {
  const expression = textAt(validation, 'expression');
  const check = {
    params: hasParams(spec),
    authorizer: true,
    isStored: stored.has(expression),
    returnTypes: [boolType],
  };
  const storedMessages = expressionsIn(oldSpec, 'validations', 'messageExpression');
  return [
    ...(expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : checks.errors(`${path}.expression`, expression, check)),
    ...messageExpressionErrors(validation, path, (source) =>
      checks.errors(`${path}.messageExpression`, source, {
        params: hasParams(spec),
        isStored: storedMessages.has(source),
        returnTypes: [stringType],
      }),
    ),
    ...messageErrors(validation, path),
    ...supported(`${path}.reason`, own(validation, 'reason'), reasons),
  ];
}

function messageExpressionErrors(
  validation: JsonObject,
  path: string,
  check: (source: string) => FieldError[],
): FieldError[] {
  const source = textAt(validation, 'messageExpression');
  if (source === '') return [];
  if (source.trim() !== '') return check(source);
  return [invalid(`${path}.messageExpression`, source, 'must be non-empty if specified')];
}

function messageErrors(validation: JsonObject, path: string): FieldError[] {
  const message = textAt(validation, 'message');
  if (message === '') return [];
  const trimmed = message.trim();
  if (trimmed === '') return [invalid(`${path}.message`, message, 'must be non-empty if specified')];
  return /[\n\r]/.test(trimmed) ? [invalid(`${path}.message`, message, 'must not contain line breaks')] : [];
}

function annotationsErrors(name: string, check: PolicyCheck): FieldError[] {
  const keys = new Set<string>();
  return eachIn('spec', check.spec, 'auditAnnotations', (annotation, path) => {
    const key = textAt(annotation, 'key');
    const isTwin = keys.has(key);
    keys.add(key);
    return [
      ...(name === ''
        ? [invalid(`${path}.key`, key, 'requires metadata.name be non-empty')]
        : invalidAs(`${path}.key`, `${name}/${key}`, checkLabelKey)),
      ...valueErrors(annotation, `${path}.valueExpression`, check),
      ...(isTwin ? [duplicate(`${path}.key`, key)] : []),
    ];
  });
}

function valueErrors(
  annotation: JsonObject,
  path: string,
  { spec, oldSpec, checks }: PolicyCheck,
): FieldError[] {
  const source = textAt(annotation, 'valueExpression');
  const trimmed = source.trim();
  if (trimmed === '') return [required(path, 'valueExpression is not specified')];
  if (Buffer.byteLength(trimmed) > valueExpressionBytesMax)
    return [required(path, `must not exceed ${valueExpressionBytesMax} bytes in length`)];
  const check = {
    params: hasParams(spec),
    authorizer: true,
    isStored: expressionsIn(oldSpec, 'auditAnnotations', 'valueExpression').has(source),
    returnTypes: [stringType, nullType],
  };
  return checks.errors(path, trimmed, check, source);
}

function statusErrors(policy: KubeObject): FieldError[] {
  const status = ownObject(policy, 'status') ?? {};
  const warnings = ownList(ownObject(status, 'typeChecking') ?? {}, 'expressionWarnings');
  return [
    ...eachItem('status.typeChecking.expressionWarnings', warnings, (warning, path) => [
      ...(textAt(warning, 'warning') === '' ? [required(`${path}.warning`)] : []),
      ...(textAt(warning, 'fieldRef').trim() === '' ? [required(`${path}.fieldRef`)] : []),
    ]),
    ...conditionsErrors('status', status),
  ];
}

export function validatingAdmissionPolicyKind(environments: RuleEnvironments): BuiltInKind {
  return {
    strategy: registrationStrategy({
      counted: 'spec',
      errors: (policy, old) => policyErrors(policy, old, environments),
      validateStatus: statusErrors,
    }),
    type: builtInType({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      kind: 'ValidatingAdmissionPolicy',
      resource: 'validatingadmissionpolicies',
      namespaced: false,
      categories: ['api-extensions'],
      status: true,
      columns: [
        column('Validations', '', {
          type: 'integer',
          read: (policy) => (ownList(specOf(policy), 'validations') ?? []).length,
          description: 'Validations indicates the number of validation rules defined in this configuration',
        }),
        paramKindColumn,
        ageColumn,
      ],
    }),
  };
}

const actions = ['Audit', 'Deny', 'Warn'];

function bindingErrors(binding: KubeObject): FieldError[] {
  const spec = specOf(binding);
  const [path, given] = ['spec.validationActions', stringList(own(spec, 'validationActions'))];
  const twice =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response ' +
    'and headers serves no purpose)';
  return [
    ...bindingHeadErrors(spec),
    ...given.flatMap((action, index) => [
      ...supported(`${path}[${index}]`, action, actions),
      ...(given.indexOf(action) < index ? [duplicate(`${path}[${index}]`, action)] : []),
    ]),
    ...(given.includes('Deny') && given.includes('Warn') ? [invalid(path, given, twice)] : []),
    ...(given.length === 0 ? [required(path, 'at least one validation action is required')] : []),
  ];
}

export const validatingAdmissionPolicyBindingKind: BuiltInKind = {
  strategy: registrationStrategy({ counted: 'spec', errors: bindingErrors }),
  type: builtInType({
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    resource: 'validatingadmissionpolicybindings',
    namespaced: false,
    categories: ['api-extensions'],
    columns: bindingColumns,
  }),
};
