import { type FieldError, forbidden, type KubeObject, nameOf, own, required } from '../../meta/index.ts';
import { numberAt, supported } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** An update checks only that they are the same. Source: kubernetes, pkg/apis/scheduling/validation. */
const rules: readonly KindRule[] = [
  { path: 'value', immutable: 'may not be changed in an update.' },
  { path: 'preemptionPolicy', immutable: true },
];

function newErrors(priority: KubeObject): FieldError[] {
  const policy = own(priority, 'preemptionPolicy');
  return [
    ...valueErrors(priority),
    ...(policy === ''
      ? [required('preemptionPolicy')]
      : supported('preemptionPolicy', policy, ['PreemptLowerPriority', 'Never'])),
  ];
}

const userValueMax = 1_000_000_000;
const systemPrefix = 'system-';

/**
 * The classes that every server has, and the only ones with the prefix `system-`.
 * Source: kubernetes, pkg/apis/scheduling/v1/helpers.go.
 */
export const systemPriorityClasses = Object.freeze([
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
]);

function valueErrors(priority: KubeObject): FieldError[] {
  const [name, value] = [nameOf(priority), numberAt(priority, 'value') ?? 0];
  if (!name.startsWith(systemPrefix)) {
    if (value <= userValueMax) return [];
    return [forbidden('value', `maximum allowed value of a user defined priority is ${userValueMax}`)];
  }
  const why = systemMistake(priority, systemPriorityClasses.find((one) => one.name === name)?.value);
  if (why === undefined) return [];
  const reserved = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: `;
  return [forbidden('metadata.name', `${reserved}${why}`)];
}

function systemMistake(priority: KubeObject, wanted: number | undefined): string | undefined {
  const name = nameOf(priority);
  if (wanted === undefined) return `${name} is not a known system priority class`;
  if (numberAt(priority, 'value') !== wanted) {
    return `value of ${name} PriorityClass must be ${wanted}`;
  }
  return own(priority, 'globalDefault') === true
    ? `globalDefault of ${name} PriorityClass must be false`
    : undefined;
}

/** The admission plugin Priority gives pods its value. */
export const priorityClassKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, rules, validateNew: newErrors }),
  type: builtInType({
    group: 'scheduling.k8s.io',
    version: 'v1',
    kind: 'PriorityClass',
    resource: 'priorityclasses',
    namespaced: false,
    shortNames: ['pc'],
    columns: [
      column('Value', '.value', { type: 'integer', description: 'The priority of its pods.' }),
      column('Global-Default', '', {
        read: (one) => own(one, 'globalDefault') === true,
        description: 'Whether it is the default class.',
      }),
      ageColumn,
    ],
  }),
};
