import {
  checkLabelKey,
  type FieldError,
  forbidden,
  invalid,
  type KubeObject,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { fieldRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { plainStrategy } from '../strategy/plain-strategy.ts';
import { int32, object, text, time } from '../definition/schema-parts.ts';

/** Source: kubernetes, pkg/apis/coordination/validation. */
const rules: readonly KindRule[] = [
  { path: 'spec.leaseDurationSeconds', above: 0 },
  { path: 'spec.leaseTransitions', min: 0 },
  strategyErrors,
];

function strategyErrors(lease: KubeObject): FieldError[] {
  const spec = ownObject(lease, 'spec') ?? {};
  const [strategy, preferredHolder] = [ownString(spec, 'strategy'), ownString(spec, 'preferredHolder')];
  if (strategy !== undefined && strategy !== 'OldestEmulationVersion') {
    return checkLabelKey(strategy).map((text) => invalid('spec.strategy', strategy, text));
  }
  if (preferredHolder === undefined || preferredHolder === '' || strategy !== undefined) return [];
  return [forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined')];
}

const plain = plainStrategy();

const strategy: Strategy = Object.freeze({
  ...plain,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validateCreate(lease, context) {
    const { errors, warnings } = plain.validateCreate(lease, context);
    return { errors: [...errors, ...fieldRuleErrors(rules, lease)], warnings };
  },
  validateUpdate(lease, old, endpoint, context) {
    const { errors, warnings } = plain.validateUpdate(lease, old, endpoint, context);
    return { errors: [...errors, ...fieldRuleErrors(rules, lease)], warnings };
  },
} satisfies Strategy);

export const leaseKind: BuiltInKind = {
  strategy,
  type: builtInType({
    group: 'coordination.k8s.io',
    version: 'v1',
    kind: 'Lease',
    resource: 'leases',
    namespaced: true,
    columns: [column('Holder', '.spec.holderIdentity'), ageColumn],
    properties: {
      spec: object({
        acquireTime: time,
        holderIdentity: text,
        leaseDurationSeconds: int32,
        leaseTransitions: int32,
        preferredHolder: text,
        renewTime: time,
        strategy: text,
      }),
    },
  }),
};
