import { equal, type FieldError, invalid, type KubeObject, own } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { ruledStrategy } from './ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/scheduling/validation. */
function validateChange(priority: KubeObject, old: KubeObject): FieldError[] {
  return ['value', 'preemptionPolicy'].flatMap((field) => {
    const [now, before] = [own(priority, field) ?? 0, own(old, field) ?? 0];
    return equal(now, before) ? [] : [invalid(field, now, 'field is immutable')];
  });
}

/** Nobody gives pods its value. */
export const priorityClassKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, validateChange }),
  type: builtInType({
    group: 'scheduling.k8s.io',
    version: 'v1',
    kind: 'PriorityClass',
    resource: 'priorityclasses',
    namespaced: false,
    shortNames: ['pc'],
    columns: [
      column('Value', '.value', { type: 'integer', description: 'What pods of it are worth.' }),
      column('Global-Default', '', {
        read: (one) => own(one, 'globalDefault') === true,
        description: 'Whether pods without a class are of it.',
      }),
      ageColumn,
    ],
  }),
};
