import {
  equal,
  type FieldError,
  forbidden,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  required,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from './kind.ts';
import { nameField } from './name-field.ts';
import { ruledStrategy } from './ruled-strategy.ts';
import { accessModesColumn, capacityColumn } from './volume-columns.ts';
import { specOf, statusOf } from './workload.ts';

/** Source: kubernetes, pkg/apis/core/validation, ValidatePersistentVolumeClaimSpec. */
function validate(claim: KubeObject): FieldError[] {
  const spec = specOf(claim);
  const modes = ownList(spec, 'accessModes') ?? [];
  const requests = ownObject(ownObject(spec, 'resources') ?? {}, 'requests') ?? {};
  return [
    ...(modes.length === 0 ? [required('spec.accessModes', 'at least 1 access mode is required')] : []),
    ...(own(requests, 'storage') === undefined ? [required('spec.resources[storage]')] : []),
  ];
}

const immutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** What a binder fills in may come; what was asked for stays, but for its size. */
function validateChange(claim: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [fixedPart(specOf(claim)), fixedPart(specOf(old))];
  if (own(before, 'volumeName') === undefined) delete now['volumeName'];
  return equal(now, before) ? [] : [forbidden('spec', immutable)];
}

function fixedPart(spec: JsonObject): JsonObject {
  const { resources: _, volumeAttributesClassName: __, ...fixed } = spec;
  return fixed;
}

/** Nobody binds it: it stays Pending until a test says otherwise. */
export const persistentVolumeClaimKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    validate,
    validateChange,
    firstStatus: () => ({ phase: 'Pending' }),
  }),
  type: builtInType({
    group: '',
    version: 'v1',
    kind: 'PersistentVolumeClaim',
    resource: 'persistentvolumeclaims',
    namespaced: true,
    shortNames: ['pvc'],
    status: true,
    selectableFields: [nameField],
    columns: [
      column('Status', '.status.phase', { description: 'Whether it is bound.' }),
      column('Volume', '.spec.volumeName', { description: 'What it is bound to.' }),
      capacityColumn(statusOf),
      accessModesColumn(statusOf),
      column('StorageClass', '.spec.storageClassName', { description: 'The class it asks for.' }),
      ageColumn,
    ],
  }),
};
