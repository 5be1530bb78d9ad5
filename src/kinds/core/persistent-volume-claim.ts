import {
  checkDnsSubdomain,
  equal,
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
  ownObject,
  required,
} from '../../meta/index.ts';
import { accessModeErrors, volumeModes } from './validate-access-modes.ts';
import { compareQuantities, invalidAs, textAt } from '../rules/field-checks.ts';
import { fieldRuleErrors, type KindRule } from '../rules/field-rules.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';
import { nameField } from '../definition/name-field.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { accessModesColumn, capacityColumn } from './volume-columns.ts';
import { specOf, statusOf } from '../rules/workload.ts';

/** The two fields for the data source are equal, if one of them is set. */
function complete(claim: KubeObject): void {
  const spec = ownObject(claim, 'spec');
  if (spec === undefined) return;
  dropSources(spec);
  const [source, ref] = [ownObject(spec, 'dataSource'), ownObject(spec, 'dataSourceRef')];
  if (source !== undefined && ref === undefined) spec['dataSourceRef'] = { ...source };
  if (ref !== undefined && source === undefined && own(ref, 'namespace') === undefined) {
    spec['dataSource'] = { ...ref };
  }
}

/** Upstream drops sources of unknown kinds, and references to other namespaces, which need a feature gate. */
function dropSources(spec: JsonObject): void {
  const source = ownObject(spec, 'dataSource');
  if (source !== undefined && !isKnownSource(source)) delete spec['dataSource'];
  const ref = ownObject(spec, 'dataSourceRef');
  if (ref !== undefined && textAt(ref, 'namespace') !== '') delete spec['dataSourceRef'];
}

/** Source: kubernetes, pkg/api/persistentvolumeclaim, dataSourceIsPvcOrSnapshot. */
function isKnownSource(source: JsonObject): boolean {
  const [group, kind] = [textAt(source, 'apiGroup'), textAt(source, 'kind')];
  return group === ''
    ? kind === 'PersistentVolumeClaim'
    : group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot';
}

/** Source: kubernetes, pkg/apis/core/validation, ValidatePersistentVolumeClaimSpec. */
const rules: readonly KindRule[] = [
  { path: 'spec.accessModes', required: 'at least 1 access mode is required' },
  (claim) => labelSelectorErrors('spec.selector', ownObject(specOf(claim), 'selector')),
  (claim) => accessModeErrors(specOf(claim)),
  (claim) => sizeErrors(specOf(claim)),
  subdomainIn('storageClassName'),
  { path: 'spec.volumeMode', oneOf: volumeModes },
  (claim) => sourceErrors(specOf(claim)),
  subdomainIn('volumeAttributesClassName'),
];

/** The errors of a claim's spec, for the claims that a StatefulSet describes. */
export function claimSpecErrors(claim: JsonObject): FieldError[] {
  return fieldRuleErrors(rules, claim);
}

function subdomainIn(field: string): KindRule {
  return (claim) => invalidAs(`spec.${field}`, textAt(specOf(claim), field), subdomainIfAny);
}

function subdomainIfAny(name: string): readonly string[] {
  return name === '' ? [] : checkDnsSubdomain(name);
}

function sizeErrors(spec: JsonObject): FieldError[] {
  const size = own(ownObject(ownObject(spec, 'resources') ?? {}, 'requests') ?? {}, 'storage');
  if (size === undefined) return [required('spec.resources[storage]')];
  if (compareQuantities(size) > 0) return [];
  return [invalid('spec.resources[storage]', size, 'must be greater than zero')];
}

function sourceErrors(spec: JsonObject): FieldError[] {
  const [source, ref] = [ownObject(spec, 'dataSource'), ownObject(spec, 'dataSourceRef')];
  const differ = source !== undefined && ref !== undefined && !equal(source, ref);
  return [
    ...referenceErrors('spec.dataSource', source),
    ...referenceErrors('spec.dataSourceRef', ref),
    ...(differ ? [invalid('spec', {}, 'must match dataSourceRef')] : []),
  ];
}

function referenceErrors(path: string, reference: JsonObject | undefined): FieldError[] {
  if (reference === undefined) return [];
  const [group, kind] = [textAt(reference, 'apiGroup'), textAt(reference, 'kind')];
  const needsGroup = group === '' && kind !== 'PersistentVolumeClaim';
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...(textAt(reference, 'name') === '' ? [required(`${path}.name`)] : []),
    ...(kind === '' ? [required(`${path}.kind`)] : []),
    ...(needsGroup ? [invalid(path, kind, why)] : []),
    ...invalidAs(`${path}.apiGroup`, group, subdomainIfAny),
  ];
}

const immutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** The spec is immutable, except for fields that a binder fills in and the size of a bound claim. */
function validateChange(claim: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [fixedPart(claim, old), fixedPart(old, old)];
  const mode = own(specOf(claim), 'volumeMode');
  const sameMode = equal(mode, own(specOf(old), 'volumeMode'));
  return [
    ...(equal(now, before) ? [] : [forbidden('spec', immutable)]),
    ...shrinkErrors(claim, old),
    ...(sameMode ? [] : [invalid('volumeMode', mode ?? null, 'field is immutable')]),
  ];
}

/** What must be the same in the claim and in the old one. */
function fixedPart(claim: KubeObject, old: KubeObject): JsonObject {
  const fixed: JsonObject = { ...specOf(claim) };
  const before = specOf(old);
  for (const field of ['volumeName', 'storageClassName']) {
    if ((own(before, field) ?? '') === '') delete fixed[field];
  }
  if (own(statusOf(old), 'phase') !== 'Bound') return fixed;
  delete fixed['volumeAttributesClassName'];
  fixed['resources'] = withoutSize(ownObject(fixed, 'resources') ?? {});
  return fixed;
}

function withoutSize(resources: JsonObject): JsonObject {
  const { storage: _, ...requests } = ownObject(resources, 'requests') ?? {};
  return { ...resources, requests };
}

const requestOf = (claim: KubeObject) =>
  own(ownObject(ownObject(specOf(claim), 'resources') ?? {}, 'requests') ?? {}, 'storage') ?? '0';

/** A claim may become smaller than it asked to be, but not smaller than it is. */
function shrinkErrors(claim: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [requestOf(claim), requestOf(old)];
  const found = own(ownObject(statusOf(old), 'capacity') ?? {}, 'storage') ?? '0';
  if (compareQuantities(now, before) >= 0 || compareQuantities(now, found) > 0) return [];
  return [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')];
}

function validateStatus(claim: KubeObject): FieldError[] {
  return Object.entries(ownObject(statusOf(claim), 'capacity') ?? {})
    .filter(([, size]) => compareQuantities(size) < 0)
    .map(([name, size]) => ({
      ...invalid(`status.capacity[${name}]`, size, 'must be a valid resource quantity'),
      valueText: String(size),
    }));
}

const oldAnnotation = 'volume.beta.kubernetes.io/storage-class';

function warn(claim: KubeObject): string[] {
  if (!Object.hasOwn(ownObject(metadataOf(claim), 'annotations') ?? {}, oldAnnotation)) return [];
  const instead = 'deprecated since v1.8; use "storageClassName" attribute instead';
  return [`metadata.annotations[${oldAnnotation}]: ${instead}`];
}

/** A plain object: it stays Pending until a client writes another status. */
export const persistentVolumeClaimKind: BuiltInKind = {
  strategy: ruledStrategy({
    returnsDeleted: true,
    rules,
    validateStatus,
    warn,
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
    complete,
    selectableFields: [nameField],
    columns: [
      column('Status', '.status.phase', { description: 'The phase of the claim.' }),
      column('Volume', '.spec.volumeName', { description: 'The bound volume.' }),
      capacityColumn(statusOf),
      accessModesColumn(statusOf),
      column('StorageClass', '.spec.storageClassName', { description: 'The requested storage class.' }),
      ageColumn,
    ],
  }),
};
