import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { driverNameErrors, parametersErrors } from './validate-parameters.ts';

const changed = (field: string) => `updates to ${field} are forbidden.`;

const rules: readonly KindRule[] = [
  { path: 'driverName', immutable: changed('driverName') },
  (one) => driverNameErrors('driverName', one),
  parametersErrors,
  {
    path: 'parameters',
    required: 'must contain at least one key/value pair',
    immutable: changed('parameters'),
  },
];

/** VolumeAttributesClass objects have no effect: no driver modifies volumes. Source: kubernetes, pkg/apis/storage/validation. */
export const volumeAttributesClassKind: BuiltInKind = {
  strategy: ruledStrategy({ returnsDeleted: true, rules }),
  type: builtInType({
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'VolumeAttributesClass',
    resource: 'volumeattributesclasses',
    namespaced: false,
    shortNames: ['vac'],
    columns: [column('DriverName', '.driverName', { description: 'The driver of its volumes.' }), ageColumn],
  }),
};
