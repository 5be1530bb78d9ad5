import type { GroupVersionKind, GroupVersionResource, JsonObject, UserInfo } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';

/** The resource and kind under which a webhook or a policy sees a write, as its rules name them. */
export interface MatchedResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** The variable `request` of expressions: an AdmissionRequest without uid and objects; empty fields are omitted. */
export function admissionRequest(
  attributes: AdmissionAttributes,
  { resource, kind }: MatchedResource,
): JsonObject {
  const { subresource, name, namespace, operation, dryRun, options } = attributes;
  return {
    kind: { ...kind },
    resource: { ...resource },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { ...attributes.kind },
    requestResource: { ...attributes.resource },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfoOf(attributes.user),
    dryRun,
    options,
  };
}

/** `authentication.k8s.io/v1` UserInfo. */
export function userInfoOf({ name, uid = '', groups, extra }: UserInfo): JsonObject {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(extra === undefined || extra.size === 0
      ? {}
      : { extra: Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])) }),
  };
}
