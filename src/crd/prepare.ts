import {
  clone,
  equal,
  type FeatureGates,
  isObject,
  type JsonObject,
  type KubeObject,
} from '../meta/index.ts';
import { crdStatus } from './decode/crd-types.ts';
import { dropGatedFields } from './drop-gated-fields.ts';
import { specOf, statusOf, storageVersionName, stringsOf } from './spec-view.ts';

/**
 * Prepares a new CRD for validation, in place: the server sets its status, and fields whose gate is off are dropped.
 * The caller sets the generation.
 */
export function prepareCrdForCreate(crd: KubeObject, gates: FeatureGates): void {
  const status = crdStatus.zero();
  crd['status'] = status;
  if (isObject(status)) rememberStorageVersion(status, specOf(crd));
  dropGatedFields(specOf(crd), undefined, gates);
}

/**
 * Prepares a changed CRD for validation, in place. The status stays as it was, except that a new storage version is
 * added to the stored versions. Afterwards `crdSpecChanged` tells whether the generation increases.
 */
export function prepareCrdForUpdate(crd: KubeObject, old: KubeObject, gates: FeatureGates): void {
  const status = clone(statusOf(old));
  crd['status'] = status;
  rememberStorageVersion(status, specOf(crd));
  dropGatedFields(specOf(crd), specOf(old), gates);
}

/**
 * Prepares an update of `/status` for validation, in place: the spec stays, metadata and status come from the
 * request.
 */
export function prepareCrdStatusUpdate(crd: KubeObject, old: KubeObject): void {
  const status = statusOf(crd);
  if (stringsOf(status, 'storedVersions').length === 0) rememberStorageVersion(status, specOf(crd));
  crd['spec'] = clone(specOf(old));
}

/** True if the spec differs, which increases the generation. */
export function crdSpecChanged(crd: KubeObject, old: KubeObject): boolean {
  return !equal(specOf(crd), specOf(old));
}

/** Records that objects may be stored in this version. Only a storage migration removes it, through `/status`. */
function rememberStorageVersion(status: JsonObject, spec: JsonObject): void {
  const stored = stringsOf(status, 'storedVersions');
  const name = storageVersionName(spec);
  if (name !== undefined && !stored.includes(name)) status['storedVersions'] = [...stored, name];
}
