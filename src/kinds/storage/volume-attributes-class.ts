import {
  equal,
  type FieldError,
  forbidden,
  type KubeObject,
  own,
  required,
  stringMap,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { driverNameErrors, parametersErrors } from './validate-parameters.ts';

function changeErrors(one: KubeObject, old: KubeObject): FieldError[] {
  return ['driverName', 'parameters'].flatMap((field) =>
    equal(own(one, field), own(old, field)) ? [] : [forbidden(field, `updates to ${field} are forbidden.`)],
  );
}

function emptyErrors(one: KubeObject): FieldError[] {
  const isEmpty = stringMap(own(one, 'parameters')).size === 0;
  return isEmpty ? [required('parameters', 'must contain at least one key/value pair')] : [];
}

/** No driver modifies volumes. Source: kubernetes, pkg/apis/storage/validation. */
export const volumeAttributesClassKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    rules: [(one) => driverNameErrors('driverName', one), parametersErrors, emptyErrors],
    validateChange: changeErrors,
  }),
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
