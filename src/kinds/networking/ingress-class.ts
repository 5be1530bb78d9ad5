import {
  equal,
  type FieldError,
  invalid,
  type KubeObject,
  own,
  ownString,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { specOf } from '../rules/workload.ts';

function validate(ingressClass: KubeObject): FieldError[] {
  return (ownString(specOf(ingressClass), 'controller') ?? '') === '' ? [required('spec.controller')] : [];
}

function validateChange(ingressClass: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [own(specOf(ingressClass), 'controller'), own(specOf(old), 'controller')];
  return equal(now, before) ? [] : [invalid('spec.controller', now, 'field is immutable')];
}

export const ingressClassKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, validate, validateChange }),
  type: builtInType({
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'IngressClass',
    resource: 'ingressclasses',
    namespaced: false,
    columns: [
      column('Controller', '.spec.controller', { description: 'Who serves ingresses of it.' }),
      ageColumn,
    ],
  }),
};
