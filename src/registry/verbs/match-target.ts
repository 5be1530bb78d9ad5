import { badRequestError, conflictError, type KubeObject, nameOf } from '../../meta/index.ts';
import { matchNamespace } from './create.ts';
import type { ObjectTarget } from '../resource/target.ts';

/** @throws {StatusError} 400 if the body names another object than the URL */
export function matchTarget(object: KubeObject, target: ObjectTarget): void {
  matchNamespace(object, target.namespace);
  const name = nameOf(object);
  if (name === '') {
    throw badRequestError(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== target.name) {
    throw badRequestError(
      `the name of the object (${name}) does not match the name on the URL (${target.name})`,
    );
  }
}

/** Upstream's key of a custom resource, below its prefix. */
function keyText({ type, namespace, name }: ObjectTarget): string {
  return `/${[type.group, type.resource, namespace, name].filter((part) => part !== '').join('/')}`;
}

/** @throws {StatusError} 409 if the client refers to another object with the same name */
export function requireSameUid(target: ObjectTarget, wanted: string, found: string): void {
  if (wanted === '' || wanted === found) return;
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
  throw conflictError(
    target.resource.groupResource,
    target.name,
    target.type.isBuiltIn
      ? why
      : `StorageError: invalid object, Code: 4, Key: ${keyText(target)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}
