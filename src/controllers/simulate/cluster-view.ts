import { type JsonObject, type KubeObject, metadataString, namespaceOf, own } from '../../meta/index.ts';
import { controllerOf, keyOf, uidOf } from './fields.ts';
import type { ResourceName } from './resources.ts';

/** What the simulation knows of the cluster: the last state of each object that it follows or has written. */
export class ClusterView {
  readonly #objects = new Map<ResourceName, Map<string, KubeObject>>();
  /** Keys by the uid of the controller. */
  readonly #owned = new Map<string, Map<ResourceName, Set<string>>>();

  get(resource: ResourceName, key: string): KubeObject | undefined {
    return this.#objects.get(resource)?.get(key);
  }

  /** In the order of their keys, so that decisions are deterministic. */
  all(resource: ResourceName, namespace?: string): KubeObject[] {
    const found = [...(this.#objects.get(resource) ?? new Map<string, KubeObject>())];
    return found
      .filter(([, object]) => namespace === undefined || namespaceOf(object) === namespace)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object);
  }

  /** What an object is the controller of. */
  owned(owner: KubeObject, resource: ResourceName): KubeObject[] {
    const keys = this.#owned.get(uidOf(owner))?.get(resource) ?? [];
    return [...keys]
      .sort()
      .map((key) => this.get(resource, key))
      .filter((one) => one !== undefined);
  }

  /** Takes a state, unless a later one of the same object is known. */
  put(resource: ResourceName, object: KubeObject): boolean {
    const key = keyOf(object);
    const known = this.get(resource, key);
    if (known !== undefined && uidOf(known) === uidOf(object) && versionOf(known) >= versionOf(object))
      return false;
    this.remove(resource, key);
    const objects = this.#objects.get(resource) ?? new Map<string, KubeObject>();
    this.#objects.set(resource, objects.set(key, object));
    this.#keysOf(object, resource)?.add(key);
    return true;
  }

  remove(resource: ResourceName, key: string): void {
    const known = this.get(resource, key);
    if (known === undefined) return;
    this.#objects.get(resource)?.delete(key);
    const uid = ownerUid(controllerOf(known));
    const keys = uid === undefined ? undefined : this.#owned.get(uid)?.get(resource);
    keys?.delete(key);
    if (uid !== undefined && keys?.size === 0) this.#owned.get(uid)?.delete(resource);
    if (uid !== undefined && this.#owned.get(uid)?.size === 0) this.#owned.delete(uid);
  }

  #keysOf(object: KubeObject, resource: ResourceName): Set<string> | undefined {
    const uid = ownerUid(controllerOf(object));
    if (uid === undefined) return undefined;
    const byResource = this.#owned.get(uid) ?? new Map<ResourceName, Set<string>>();
    const keys = byResource.get(resource) ?? new Set<string>();
    this.#owned.set(uid, byResource.set(resource, keys));
    return keys;
  }
}

function ownerUid(reference: JsonObject | undefined): string | undefined {
  const uid = reference === undefined ? undefined : own(reference, 'uid');
  return typeof uid === 'string' ? uid : undefined;
}

const versionOf = (object: KubeObject): number => Number(metadataString(object, 'resourceVersion') ?? 0);
