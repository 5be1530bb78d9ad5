import { isObject, type JsonObject, type KubeObject, own, ownObject, ownString } from '../../meta/index.ts';
import {
  compareQuantities,
  type Quantity,
  quantityOf,
  roundedUp,
  wholeQuantity,
} from '../resources/quantity.ts';
import type { QuotaCounter, ScopeRequirement } from './quota-counter.ts';
import { scopeValuesMatch } from './scope-values.ts';

const names = ['count/persistentvolumeclaims', 'persistentvolumeclaims', 'requests.storage'];
/** What is counted for one storage class: `gold.storageclass.storage.k8s.io/requests.storage`. */
const ofClass = '.storageclass.storage.k8s.io/';
const classSuffixes = [`${ofClass}persistentvolumeclaims`, `${ofClass}requests.storage`];

/**
 * PersistentVolumeClaims, and the storage that they request, of each storage class, too.
 * Source: kubernetes, pkg/quota/v1/evaluator/core/persistent_volume_claims.go.
 */
export const countClaims: QuotaCounter = Object.freeze<QuotaCounter>({
  resource: { group: '', resource: 'persistentvolumeclaims' },
  counts: (name) => names.includes(name) || classSuffixes.some((suffix) => name.endsWith(suffix)),
  // The status has the allocated storage.
  handles: ({ operation, subresource }) =>
    subresource === '' ? operation === 'CREATE' || operation === 'UPDATE' : subresource === 'status',

  usage(claim: KubeObject) {
    const one = wholeQuantity(1);
    const usage = new Map([
      ['count/persistentvolumeclaims', one],
      ['persistentvolumeclaims', one],
    ]);
    const [storage, className] = [storageOf(claim), classOf(claim)];
    if (storage !== undefined) usage.set('requests.storage', storage);
    if (className === '') return usage;
    usage.set(`${className}${ofClass}persistentvolumeclaims`, one);
    if (storage !== undefined) usage.set(`${className}${ofClass}requests.storage`, storage);
    return usage;
  },

  isInScope: (requirement: ScopeRequirement, claim: JsonObject) =>
    requirement.scope === 'VolumeAttributesClass' && scopeValuesMatch(requirement, attributesClasses(claim)),
});

function classOf(claim: KubeObject): string {
  const annotations = ownObject(ownObject(claim, 'metadata') ?? {}, 'annotations') ?? {};
  const beta = ownString(annotations, 'volume.beta.kubernetes.io/storage-class');
  return beta ?? ownString(ownObject(claim, 'spec') ?? {}, 'storageClassName') ?? '';
}

/** What is requested, or allocated already where that is more; whole bytes. */
function storageOf(claim: KubeObject): Quantity | undefined {
  const resources = ownObject(ownObject(claim, 'spec') ?? {}, 'resources') ?? {};
  const requested = own(ownObject(resources, 'requests') ?? {}, 'storage');
  if (requested === undefined) return undefined;
  const quantity = roundedUp(quantityOf(requested));
  const given = own(ownObject(ownObject(claim, 'status') ?? {}, 'allocatedResources') ?? {}, 'storage');
  const allocated = roundedUp(quantityOf(given));
  return compareQuantities(allocated, quantity) > 0 ? allocated : quantity;
}

function attributesClasses(claim: JsonObject): string[] {
  const status = ownObject(claim, 'status') ?? {};
  const modify = own(status, 'modifyVolumeStatus');
  return [
    ownString(ownObject(claim, 'spec') ?? {}, 'volumeAttributesClassName'),
    ownString(status, 'currentVolumeAttributesClassName'),
    isObject(modify) ? ownString(modify, 'targetVolumeAttributesClassName') : '',
  ].filter((name): name is string => name !== undefined && name !== '');
}
