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
 * Makes a new CRD ready for validation, in place: its status is the server's, and fields of gates that are off are
 * dropped. The generation is the caller's.
 */
export function prepareCrdForCreate(crd: KubeObject, gates: FeatureGates): void {
  const status = crdStatus.zero();
  crd['status'] = status;
  if (isObject(status)) rememberStorageVersion(status, specOf(crd));
  dropGatedFields(specOf(crd), undefined, gates);
}

/**
 * Makes a changed CRD ready for validation, in place: the status stays as it was, but for a new storage version, which
 * is remembered from now on. `crdSpecChanged` afterwards tells whether the generation grows.
 */
export function prepareCrdForUpdate(crd: KubeObject, old: KubeObject, gates: FeatureGates): void {
  const status = clone(statusOf(old));
  crd['status'] = status;
  rememberStorageVersion(status, specOf(crd));
  dropGatedFields(specOf(crd), specOf(old), gates);
}

/** Makes an update of `/status` ready for validation, in place: the spec stays, metadata and status are the request's. */
export function prepareCrdStatusUpdate(crd: KubeObject, old: KubeObject): void {
  const status = statusOf(crd);
  if (stringsOf(status, 'storedVersions').length === 0) rememberStorageVersion(status, specOf(crd));
  crd['spec'] = clone(specOf(old));
}

/** True where the spec differs, which makes the generation grow. */
export function crdSpecChanged(crd: KubeObject, old: KubeObject): boolean {
  return !equal(specOf(crd), specOf(old));
}

/** Objects may be stored in this version from now on; only a storage migration ends that, through `/status`. */
function rememberStorageVersion(status: JsonObject, spec: JsonObject): void {
  const stored = stringsOf(status, 'storedVersions');
  const name = storageVersionName(spec);
  if (name !== undefined && !stored.includes(name)) status['storedVersions'] = [...stored, name];
}
