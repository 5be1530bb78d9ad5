import {
  duplicate,
  equal,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  checkDnsLabel,
  notSupported,
  own,
  ownList,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { eachIn, notNegativeAt, numberAt, supported, textAt } from '../rules/field-checks.ts';
import { immutableErrors, selectorErrors, specOf, templateErrors } from '../rules/workload.ts';

/** What Jobs are held to, and the templates of CronJobs. Source: kubernetes, pkg/apis/batch/validation. */

export function jobErrors(job: KubeObject): FieldError[] {
  return [
    ...jobSpecErrors('spec', specOf(job)),
    ...selectorErrors(job, { calledInTexts: undefined, isRequired: true, unreadable: undefined }),
    ...podNameErrors(job),
  ];
}

/** Pods of an indexed job are named by their numbers, and so are their hosts. */
function podNameErrors(job: KubeObject): FieldError[] {
  const completions = numberAt(specOf(job), 'completions') ?? 0;
  if (own(specOf(job), 'completionMode') !== 'Indexed' || completions <= 0) return [];
  const last = `${nameOf(job)}-${completions - 1}`;
  if (checkDnsLabel(last).length === 0) return [];
  return [
    invalid('metadata.name', nameOf(job), `will not able to create pod with invalid DNS label: ${last}`),
  ];
}

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

export function jobSpecErrors(path: string, spec: JsonObject): FieldError[] {
  const template = ownObject(spec, 'template') ?? {};
  return [
    ...notNegativeAt(path, spec, ...counts),
    ...managerErrors(path, spec),
    ...modeErrors(path, spec),
    ...failurePolicyErrors(path, spec),
    ...successPolicyErrors(path, spec),
    ...replacementErrors(path, spec),
    ...templateErrors(`${path}.template`, template),
    ...restartErrors(`${path}.template.spec.restartPolicy`, spec),
  ];
}

function managerErrors(path: string, spec: JsonObject): FieldError[] {
  const manager = ownString(spec, 'managedBy');
  if (manager === undefined || /^[^/]+\/[^/]+$/.test(manager)) return [];
  const example = 'must be a domain-prefixed path (such as "acme.io/foo")';
  return [invalid(`${path}.managedBy`, manager, example)];
}

const modes = ['NonIndexed', 'Indexed'];

function modeErrors(path: string, spec: JsonObject): FieldError[] {
  const mode = own(spec, 'completionMode') ?? 'NonIndexed';
  const failures = numberAt(spec, 'maxFailedIndexes');
  const perIndex = numberAt(spec, 'backoffLimitPerIndex');
  const completions = numberAt(spec, 'completions');
  const needsIndex = (field: string) => {
    const value = numberAt(spec, field);
    return mode === 'NonIndexed' && value !== undefined
      ? [invalid(`${path}.${field}`, value, 'requires indexed completion mode')]
      : [];
  };
  return [
    ...(failures !== undefined && perIndex === undefined
      ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...supported(`${path}.completionMode`, mode, modes),
    ...(mode === 'Indexed' && completions === undefined
      ? [required(`${path}.completions`, 'when completion mode is Indexed')]
      : []),
    ...(mode === 'Indexed' && (failures ?? 0) > (completions ?? Number.POSITIVE_INFINITY)
      ? [invalid(`${path}.maxFailedIndexes`, failures, 'must be less than or equal to completions')]
      : []),
    ...needsIndex('backoffLimitPerIndex'),
    ...needsIndex('maxFailedIndexes'),
  ];
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function failurePolicyErrors(path: string, spec: JsonObject): FieldError[] {
  const policy = ownObject(spec, 'podFailurePolicy') ?? {};
  const pod = ownObject(ownObject(spec, 'template') ?? {}, 'spec') ?? {};
  const containers = ['containers', 'initContainers']
    .flatMap((list) => ownList(pod, list) ?? [])
    .map((container) => (isObject(container) ? textAt(container, 'name') : ''));
  return eachIn(`${path}.podFailurePolicy`, policy, 'rules', (rule, at) => {
    const codes = ownObject(rule, 'onExitCodes');
    const hasConditions = (ownList(rule, 'onPodConditions') ?? []).length > 0;
    const only = (text: string): FieldError => ({ ...invalid(at, undefined, text), omitsValue: true });
    return [
      ...actionErrors(rule, at, spec),
      ...(codes === undefined ? [] : exitCodeErrors(codes, `${at}.onExitCodes`, containers)),
      ...(codes !== undefined && hasConditions
        ? [only('specifying both OnExitCodes and OnPodConditions is not supported')]
        : []),
      ...(codes === undefined && !hasConditions
        ? [only('specifying one of OnExitCodes and OnPodConditions is required')]
        : []),
    ];
  });
}

function actionErrors(rule: JsonObject, path: string, spec: JsonObject): FieldError[] {
  const action = textAt(rule, 'action');
  const where = `${path}.action`;
  const quoted = `[${actions.map((one) => JSON.stringify(one)).join(' ')}]`;
  if (action === '') return [required(where, `valid values: ${quoted}`)];
  const needsLimit = action === 'FailIndex' && own(spec, 'backoffLimitPerIndex') === undefined;
  if (needsLimit) return [invalid(where, action, 'requires the backoffLimitPerIndex to be set')];
  return supported(where, action, actions);
}

function exitCodeErrors(codes: JsonObject, path: string, containers: readonly string[]): FieldError[] {
  const values = (ownList(codes, 'values') ?? []).map(Number);
  const operator = textAt(codes, 'operator');
  const name = ownString(codes, 'containerName');
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);
  return [
    ...(operator === '' ? [required(`${path}.operator`, 'valid values: ["In" "NotIn"]')] : []),
    ...(operator === '' ? [] : supported(`${path}.operator`, operator, ['In', 'NotIn'])),
    ...(name !== undefined && !containers.includes(name)
      ? [
          invalid(
            `${path}.containerName`,
            name,
            'must be one of the container or initContainer names in the pod template',
          ),
        ]
      : []),
    ...(values.length === 0 ? [invalid(`${path}.values`, null, 'at least one value is required')] : []),
    ...values.flatMap((value, index) => [
      ...(operator === 'In' && value === 0
        ? [invalid(`${path}.values[${index}]`, value, 'must not be 0 for the In operator')]
        : []),
      ...(values.indexOf(value) < index ? [duplicate(`${path}.values[${index}]`, value)] : []),
    ]),
    ...(isOrdered ? [] : [invalid(`${path}.values`, values, 'must be ordered')]),
  ];
}

function successPolicyErrors(path: string, spec: JsonObject): FieldError[] {
  const policy = ownObject(spec, 'successPolicy');
  if (policy === undefined || own(spec, 'completionMode') !== 'Indexed') {
    return policy === undefined ? [] : [needsIndexes(`${path}.successPolicy`, policy)];
  }
  const where = `${path}.successPolicy`;
  const completions = numberAt(spec, 'completions') ?? 0;
  const none = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...((ownList(policy, 'rules') ?? []).length === 0 ? [required(`${where}.rules`, none)] : []),
    ...eachIn(where, policy, 'rules', (rule, at) => successRuleErrors(rule, at, completions)),
  ];
}

/** As upstream's own struct prints, which has no JSON names. */
function needsIndexes(path: string, policy: JsonObject): FieldError {
  const rules = (ownList(policy, 'rules') ?? []).filter(isObject).map((rule) => ({
    SucceededIndexes: own(rule, 'succeededIndexes') ?? null,
    SucceededCount: own(rule, 'succeededCount') ?? null,
  }));
  return {
    ...invalid(path, {}, 'requires indexed completion mode'),
    valueText: JSON.stringify({ Rules: rules }),
  };
}

function successRuleErrors(rule: JsonObject, path: string, completions: number): FieldError[] {
  const count = numberAt(rule, 'succeededCount');
  if (count === undefined && own(rule, 'succeededIndexes') === undefined) {
    return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const most = `must be less than or equal to ${completions} (the number of specified completions)`;
  return [
    ...notNegativeAt(path, rule, 'succeededCount'),
    ...((count ?? 0) > completions ? [invalid(`${path}.succeededCount`, count, most)] : []),
  ];
}

function replacementErrors(path: string, spec: JsonObject): FieldError[] {
  const policies =
    own(spec, 'podFailurePolicy') === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return supported(`${path}.podReplacementPolicy`, own(spec, 'podReplacementPolicy'), policies);
}

/** What a job starts must end. */
function restartErrors(path: string, spec: JsonObject): FieldError[] {
  const pod = ownObject(ownObject(spec, 'template') ?? {}, 'spec') ?? {};
  const policy = own(pod, 'restartPolicy') ?? '';
  if (policy === '' || policy === 'Always') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') {
    return [notSupported(path, policy, ['OnFailure', 'Never'])];
  }
  if (policy === 'Never' || own(spec, 'podFailurePolicy') === undefined) return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

/** What of a job may change: how much runs at once, and what is to run while nothing does yet. */
export function jobChangeErrors(job: KubeObject, old: KubeObject): FieldError[] {
  return [
    ...completionsErrors(specOf(job), specOf(old)),
    ...immutableErrors(job, old, 'selector'),
    ...templateChangeErrors(specOf(job), specOf(old)),
    ...immutableErrors(
      job,
      old,
      'completionMode',
      'podFailurePolicy',
      'backoffLimitPerIndex',
      'managedBy',
      'successPolicy',
    ),
  ];
}

function completionsErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, was] = [own(spec, 'completions'), own(before, 'completions')];
  const path = 'spec.completions';
  if (equal(now, was)) return [];
  if (own(spec, 'completionMode') !== 'Indexed') return [invalid(path, now ?? null, 'field is immutable')];
  if (now === undefined || equal(now, own(spec, 'parallelism'))) return [];
  return [invalid(path, now, 'can only be modified in tandem with spec.parallelism')];
}

/** Where its pods may run, and what they are labelled with, may change until it has begun. */
function templateChangeErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const isSuspended = own(before, 'suspend') === true;
  const fixed = (one: JsonObject) => {
    const template = ownObject(one, 'template') ?? {};
    return isSuspended ? withoutDirectives(template) : template;
  };
  if (equal(fixed(spec), fixed(before))) return [];
  return [invalid('spec.template', own(spec, 'template') ?? null, 'field is immutable')];
}

function withoutDirectives(template: JsonObject): JsonObject {
  const { labels: _, annotations: __, ...metadata } = ownObject(template, 'metadata') ?? {};
  const {
    nodeSelector: ___,
    tolerations: ____,
    schedulingGates: _____,
    ...spec
  } = ownObject(template, 'spec') ?? {};
  const { nodeAffinity: ______, ...affinity } = ownObject(spec, 'affinity') ?? {};
  return { ...template, metadata, spec: { ...spec, affinity } };
}
