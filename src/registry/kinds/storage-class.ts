import {
  equal,
  type FieldError,
  forbidden,
  invalid,
  type KubeObject,
  own,
  ownString,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { ruledStrategy } from './ruled-strategy.ts';

const fixed = ['parameters', 'provisioner', 'reclaimPolicy'] as const;

/** Source: kubernetes, pkg/apis/storage/validation. */
function validateChange(storageClass: KubeObject, old: KubeObject): FieldError[] {
  const isChanged = (field: string) => !equal(own(storageClass, field), own(old, field));
  const mode = own(storageClass, 'volumeBindingMode');
  return [
    ...fixed.filter(isChanged).map((field) => forbidden(field, `updates to ${field} are forbidden.`)),
    ...(isChanged('volumeBindingMode') ? [invalid('volumeBindingMode', mode, 'field is immutable')] : []),
  ];
}

/** Nobody makes volumes of it. */
export const storageClassKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    validate: (one) => ((ownString(one, 'provisioner') ?? '') === '' ? [required('provisioner')] : []),
    validateChange,
  }),
  type: builtInType({
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    resource: 'storageclasses',
    namespaced: false,
    shortNames: ['sc'],
    columns: [
      column('Provisioner', '.provisioner', { description: 'Who makes its volumes.' }),
      column('ReclaimPolicy', '.reclaimPolicy', { description: 'What becomes of a volume without a claim.' }),
      column('VolumeBindingMode', '.volumeBindingMode', { description: 'When volumes are bound.' }),
      column('AllowVolumeExpansion', '', {
        read: (one) => own(one, 'allowVolumeExpansion') === true,
        description: 'Whether volumes may grow.',
      }),
      ageColumn,
    ],
  }),
};
