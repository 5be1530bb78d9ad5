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
import type { BuiltInKind } from '../definition/kind.ts';
import { conditionsErrors } from '../policy/validate-conditions.ts';
import { eachIn, invalidAs, supported, textAt } from '../rules/field-checks.ts';
import { checkBy, type ItemRule, itemRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { statusOf } from '../rules/workload.ts';
import { expressionsIn } from './expression-checks.ts';
import { policyBindingKind, policyKind } from './policy-kind.ts';
import {
  hasParams,
  type PolicyCheck,
  policyConditionsErrors,
  type PolicyRule,
  specOf,
  variablesErrors,
} from './policy-spec-rules.ts';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const auditAnnotationsMax = 20;
const valueExpressionBytesMax = 5 * 1024;

const rules: readonly PolicyRule[] = [
  policyConditionsErrors,
  (check) => variablesErrors(check, storedValidations(check)),
  contentErrors,
];

const storedValidations = ({ oldSpec }: PolicyCheck) => expressionsIn(oldSpec, 'validations', 'expression');

function contentErrors(check: PolicyCheck): FieldError[] {
  const { policy, spec } = check;
  const stored = storedValidations(check);
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
    ...annotationsErrors(nameOf(policy), check),
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
    ...itemRuleErrors([{ path: 'reason', oneOf: reasons }], validation, path),
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

const warningRules: readonly ItemRule[] = [
  { path: 'warning', required: true },
  (warning, path) => (textAt(warning, 'fieldRef').trim() === '' ? [required(`${path}.fieldRef`)] : []),
];

const statusRules: readonly KindRule[] = [
  (policy) => {
    const checking = ownObject(statusOf(policy), 'typeChecking') ?? {};
    return eachIn('status.typeChecking', checking, 'expressionWarnings', checkBy(warningRules));
  },
  (policy) => conditionsErrors('status', statusOf(policy)),
];

export function validatingAdmissionPolicyKind(environments: RuleEnvironments): BuiltInKind {
  const description = 'Validations indicates the number of validation rules defined in this configuration';
  return policyKind(
    {
      kind: 'ValidatingAdmissionPolicy',
      resource: 'validatingadmissionpolicies',
      counts: { list: 'validations', column: 'Validations', description },
      rules,
      statusRules,
    },
    environments,
  );
}

const actions = ['Audit', 'Deny', 'Warn'];

function actionsErrors(binding: KubeObject): FieldError[] {
  const [path, given] = ['spec.validationActions', stringList(own(specOf(binding), 'validationActions'))];
  const twice =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response ' +
    'and headers serves no purpose)';
  return [
    ...given.flatMap((action, index) => [
      ...supported(`${path}[${index}]`, action, actions),
      ...(given.indexOf(action) < index ? [duplicate(`${path}[${index}]`, action)] : []),
    ]),
    ...(given.includes('Deny') && given.includes('Warn') ? [invalid(path, given, twice)] : []),
  ];
}

export const validatingAdmissionPolicyBindingKind = policyBindingKind({
  kind: 'ValidatingAdmissionPolicyBinding',
  resource: 'validatingadmissionpolicybindings',
  rules: [actionsErrors, { path: 'spec.validationActions', required: true }],
});
