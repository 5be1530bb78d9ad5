import {
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { apiVersionOf, type ResourceName } from './resources.ts';

export const specOf = (object: JsonObject): JsonObject => ownObject(object, 'spec') ?? {};
export const statusOf = (object: JsonObject): JsonObject => ownObject(object, 'status') ?? {};
export const keyOf = (object: KubeObject): string => `${namespaceOf(object)}/${nameOf(object)}`;
export const uidOf = (object: KubeObject): string => metadataString(object, 'uid') ?? '';

export function labelsOf(object: KubeObject): JsonObject {
  return ownObject(metadataOf(object), 'labels') ?? {};
}

export function annotationOf(object: KubeObject, name: string): string | undefined {
  return ownString(ownObject(metadataOf(object), 'annotations') ?? {}, name);
}

export function numberIn(object: JsonObject, field: string, otherwise = 0): number {
  const value = own(object, field);
  return typeof value === 'number' ? value : otherwise;
}

export const objectsIn = (object: JsonObject, field: string): JsonObject[] =>
  (ownList(object, field) ?? []).filter(isObject);

export const isDeleted = (object: KubeObject): boolean =>
  own(metadataOf(object), 'deletionTimestamp') !== undefined;

/** A reference that makes an object the controller of another one. */
export function controllerReference(owner: KubeObject, resource: ResourceName): JsonObject {
  const { kind } = resource;
  const [name, uid] = [nameOf(owner), uidOf(owner)];
  return { apiVersion: apiVersionOf(resource), kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The reference to the controller of an object. */
export function controllerOf(object: KubeObject): JsonObject | undefined {
  return objectsIn(metadataOf(object), 'ownerReferences').find((one) => own(one, 'controller') === true);
}

/** What of a template becomes the metadata and the spec of a pod. */
export function templateOf(owner: KubeObject): JsonObject {
  return ownObject(specOf(owner), 'template') ?? {};
}

/** A condition, which keeps its time while its status stays. */
export function withCondition(
  present: readonly JsonObject[],
  wanted: { readonly type: string; readonly status: string; readonly [field: string]: JsonValue },
  time: string,
): JsonObject[] {
  const old = present.find((one) => own(one, 'type') === wanted.type);
  const isSame = old !== undefined && own(old, 'status') === wanted.status;
  const lastTransitionTime = (isSame && ownString(old, 'lastTransitionTime')) || time;
  const others = present.filter((one) => one !== old);
  return [...others, { ...wanted, lastTransitionTime }];
}

/** `25%` of a count, rounded as asked, or a count. */
export function countOrPercent(
  value: JsonValue | undefined,
  total: number,
  round: (n: number) => number,
): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? Number(value.replace('%', '')) : Number.NaN;
  return Number.isFinite(percent) ? round((percent / 100) * total) : 0;
}

/** Letters that make no words. Source: apimachinery, pkg/util/rand. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** A short name that is always the same for the same text: FNV-1a. */
export function hashName(text: string, length = 5): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  let name = '';
  for (; name.length < length; hash /= BigInt(letters.length))
    name += letters[Number(hash % BigInt(letters.length))];
  return name;
}
