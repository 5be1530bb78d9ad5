import {
  type FieldError,
  type KubeObject,
  ownList,
  ownObject,
  ownString,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { nameField } from './name-field.ts';
import { ruledStrategy } from './ruled-strategy.ts';
import { accessModesColumn, capacityColumn } from './volume-columns.ts';
import { specOf } from './workload.ts';

/** Source: kubernetes, pkg/apis/core/validation, ValidatePersistentVolumeSpec; without what each source is held to. */
function validate(volume: KubeObject): FieldError[] {
  const spec = specOf(volume);
  const modes = ownList(spec, 'accessModes') ?? [];
  const capacity = ownObject(spec, 'capacity') ?? {};
  return [
    ...(modes.length === 0 ? [required('spec.accessModes')] : []),
    ...(Object.keys(capacity).length === 0 ? [required('spec.capacity')] : []),
  ];
}

function claimCell(volume: KubeObject): string {
  const claim = ownObject(specOf(volume), 'claimRef');
  return claim === undefined
    ? ''
    : `${ownString(claim, 'namespace') ?? ''}/${ownString(claim, 'name') ?? ''}`;
}

/** Nobody binds it to a claim. */
export const persistentVolumeKind: BuiltInKind = {
  strategy: ruledStrategy({ returnsDeleted: true, validate, firstStatus: () => ({ phase: 'Pending' }) }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'PersistentVolume',
    resource: 'persistentvolumes',
    namespaced: false,
    shortNames: ['pv'],
    status: true,
    selectableFields: [nameField],
    columns: [
      capacityColumn(specOf),
      accessModesColumn(specOf),
      column('Reclaim Policy', '.spec.persistentVolumeReclaimPolicy', {
        description: 'What becomes of it when its claim goes.',
      }),
      column('Status', '.status.phase', { description: 'Whether it is bound.' }),
      column('Claim', '', { read: claimCell, description: 'Who has it.' }),
      column('StorageClass', '.spec.storageClassName', { description: 'The class it is of.' }),
      column('Reason', '.status.reason', { description: 'Why it is as it is.' }),
      ageColumn,
    ],
  }),
};
