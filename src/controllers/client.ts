import { type KubeObject, notFoundError, StatusError, type UserInfo } from '../meta/index.ts';
import {
  type ObjectTarget,
  type Registry,
  type RequestContext,
  type Target,
  targetOf,
  Warnings,
} from '../registry/index.ts';

/** How controllers appear to admission and in managed fields. */
const controllerUser: UserInfo = { name: 'system:apiserver', groups: ['system:masters'] };

/** The context of a controller's own requests. */
export function controllerContext(fieldManager: string, signal: AbortSignal): RequestContext {
  return { user: controllerUser, fieldManager, signal, warnings: new Warnings() };
}

/** The target of a resource. @throws {StatusError} 404 if it is not served */
export async function servedTarget(
  registry: Registry,
  {
    group,
    version,
    resource,
  }: { readonly group: string; readonly version: string; readonly resource: string },
  namespace = '',
): Promise<Target> {
  const served = await registry.find(group, version, resource);
  if (served === undefined) throw notFoundError({ group, resource }, '');
  return targetOf(served, namespace);
}

/** One object of a target. */
export function objectTargetOf(
  target: Target,
  name: string,
  endpoint: ObjectTarget['endpoint'] = '',
): ObjectTarget {
  return { ...target, name, endpoint };
}

/** An object as a request body. */
export function bodyOf(object: KubeObject) {
  return { value: object };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'NotFound';
}

export function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'Conflict';
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'AlreadyExists';
}

export function isInvalid(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'Invalid';
}
