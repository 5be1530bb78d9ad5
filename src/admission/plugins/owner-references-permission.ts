import type { AuthorizationDecision, Authorizer, ResourceAttributes } from '../../auth/index.ts';
import {
  equal,
  isObject,
  type JsonObject,
  type KubeObject,
  metadataOf,
  own,
  ownList,
  ownString,
  parseGroupVersion,
  type StatusError,
} from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { PluginParts } from '../plugin-parts.ts';
import type { ParamSource } from '../policy/params.ts';
import { forbiddenWrite } from '../forbidden-write.ts';

/**
 * Setting owners of an object requires permission to delete it, and blocking the deletion of an owner requires
 * permission to set the owner's finalizers. Source: kubernetes, plugin/pkg/admission/gc.
 */
export function ownerReferencesPermissionEnforcement({ authorizer, params }: PluginParts): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    handles: ({ operation, resource, subresource }) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      !(resource.group === '' && resource.resource === 'pods' && subresource === 'status'),
    async validate(attributes) {
      const { object, oldObject, operation } = attributes;
      const [owners, oldOwners] = [ownersOf(object), ownersOf(oldObject)];
      if (equal(owners, oldOwners)) return;
      if (operation !== 'CREATE') await requireDelete(attributes, authorizer);
      const blocking = owners.filter((owner) => isBlocking(owner) && !oldOwners.some(isSameBlocking(owner)));
      if (blocking.length === 0 || (await mayFinalizeAnything(attributes, authorizer))) return;
      for (const owner of blocking) await requireFinalize(owner, attributes, { authorizer, params });
    },
  };
}

function ownersOf(object: KubeObject | undefined): JsonObject[] {
  return (ownList(metadataOf(object ?? {}), 'ownerReferences') ?? []).filter(isObject);
}

function isBlocking(owner: JsonObject): boolean {
  return own(owner, 'blockOwnerDeletion') === true;
}

function isSameBlocking(owner: JsonObject): (old: JsonObject) => boolean {
  return (old) => isBlocking(old) && ownString(old, 'uid') === ownString(owner, 'uid');
}

async function requireDelete(attributes: AdmissionAttributes, authorizer: Authorizer): Promise<void> {
  const { user, resource, subresource, namespace, name } = attributes;
  const asked = { ...resource, subresource, namespace, name };
  const decision = await authorizer.authorize({ user, verb: 'delete', path: '', resource: asked });
  if (decision.verdict === 'allow') return;
  throw refusal(attributes, "cannot set an ownerRef on a resource you can't delete", decision);
}

async function mayFinalizeAnything({ user }: AdmissionAttributes, authorizer: Authorizer): Promise<boolean> {
  const resource = { group: '*', version: '*', resource: '*', namespace: '', name: '*' };
  const { verdict } = await authorizer.authorize(finalizing(user, resource));
  return verdict === 'allow';
}

function finalizing(user: AdmissionAttributes['user'], resource: Omit<ResourceAttributes, 'subresource'>) {
  return { user, verb: 'update', path: '', resource: { ...resource, subresource: 'finalizers' } };
}

async function requireFinalize(
  owner: JsonObject,
  attributes: AdmissionAttributes,
  { authorizer, params }: { readonly authorizer: Authorizer; readonly params: ParamSource },
): Promise<void> {
  const [apiVersion, kind] = [ownString(owner, 'apiVersion') ?? '', ownString(owner, 'kind') ?? ''];
  const objects = params(apiVersion, kind);
  if (objects === undefined) {
    const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
    const why = `no matches for kind "${kind}" in version "${group === '' ? version : apiVersion}"`;
    const what = 'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for';
    throw forbiddenWrite(attributes, `${what} APIVersion ${apiVersion} Kind ${kind}: ${why}`);
  }
  const namespace = objects.namespaced ? attributes.namespace : '';
  const resource = { ...objects.resource, namespace, name: ownString(owner, 'name') ?? '' };
  const decision = await authorizer.authorize(finalizing(attributes.user, resource));
  if (decision.verdict === 'allow') return;
  const what =
    "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
  throw refusal(attributes, what, decision);
}

/** Upstream prints a missing error as Go prints nil. */
function refusal(
  attributes: AdmissionAttributes,
  what: string,
  { reason, evaluationError = '<nil>' }: AuthorizationDecision,
): StatusError {
  return forbiddenWrite(attributes, `${what}: ${reason}, ${evaluationError}`);
}
