import {
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  type JsonValue,
  ownList,
  type PropagationPolicy,
  stringList,
} from '../../meta/index.ts';
import { type Registry, type Target, targetAsStored } from '../../registry/index.ts';
import { deleteOptions } from '../clear-collection.ts';
import { controllerContext, isConflict, isNotFound, objectTargetOf, servedTarget } from '../client.ts';
import type { ObjectIdentity } from './identity.ts';
import { KindIndex } from './kind-index.ts';

const patchOptions = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore', force: false } as const;

/** A cluster-scoped object names an owner of a namespaced kind, whose namespace cannot be determined. */
export class NamespacedOwnerError extends Error {
  override readonly name = 'NamespacedOwnerError';

  constructor() {
    super('cluster-scoped objects cannot refer to namespaced owners');
  }
}

/** An object as it is in the store, with the resource that it is of. */
export interface LiveObject {
  readonly target: Target;
  readonly object: KubeObject;
}

/** The maximum number of namespaces in which a missing owner is looked up. */
const namespacesMax = 500;

/** What the collector reads and writes: always the live state, never the graph's opinion of it. */
export class LiveObjects {
  readonly kinds: KindIndex;
  readonly #registry: Registry;
  readonly #signal: AbortSignal;

  constructor(registry: Registry, signal: AbortSignal) {
    this.#registry = registry;
    this.#signal = signal;
    this.kinds = new KindIndex(registry);
  }

  /**
   * The target of an identity, and the object there, which may have another uid.
   *
   * @throws {UnknownKindError} where the kind is not served
   * @throws {NamespacedOwnerError} where a namespace is needed and not known
   */
  async read(
    { apiVersion, kind, namespace, name }: Omit<ObjectIdentity, 'uid'>,
    as: 'served' | 'stored',
  ): Promise<{ readonly target: Target; readonly object: KubeObject | undefined }> {
    const found = await this.kinds[as](apiVersion, kind);
    const { namespaced } = found.type;
    if (namespaced && namespace === '') throw new NamespacedOwnerError();
    const target = { ...found, namespace: namespaced ? namespace : '' };
    const object = await this.#registry.readStored(target, name);
    return { target: object === undefined ? target : targetAsStored(target, object), object };
  }

  /** The namespace in which the object of a uid has the same name as an identity that leads nowhere. */
  async namespaceOf({ name, namespace, uid }: ObjectIdentity, target: Target): Promise<string | undefined> {
    const namespaces = await servedTarget(this.#registry, {
      group: '',
      version: 'v1',
      resource: 'namespaces',
    });
    const page = await this.#registry.listAll(namespaces, this.#context());
    let looked = 0;
    for (const item of page.items) {
      if (++looked > namespacesMax) break;
      const other = nameOf(item.object());
      if (other === namespace) continue;
      const object = await this.#registry.readStored({ ...target, namespace: other }, name);
      if (object !== undefined && metadataString(object, 'uid') === uid) return other;
    }
    return undefined;
  }

  /**
   * Deletes an object if it is unchanged since it was read, or has at least the same owners: a new owner prevents
   * it. False if it is deleted already.
   *
   * @throws {StatusError} 409 where its owners changed
   */
  async delete(live: LiveObject, propagationPolicy: PropagationPolicy): Promise<boolean> {
    const uid = metadataString(live.object, 'uid');
    const resourceVersion = metadataString(live.object, 'resourceVersion');
    try {
      await this.#delete(live, propagationPolicy, { uid, resourceVersion });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      if (!isConflict(error)) throw error;
      const again = await this.#registry.readStored(live.target, nameOf(live.object));
      if (again === undefined) return false;
      if (metadataString(again, 'uid') !== uid || !sameOwners(again, live.object)) throw error;
      await this.#delete(live, propagationPolicy, { uid });
      return true;
    }
  }

  async #delete(
    { target, object }: LiveObject,
    propagationPolicy: PropagationPolicy,
    preconditions: { readonly uid: string; readonly resourceVersion?: string },
  ): Promise<void> {
    await this.#registry.delete({
      target: objectTargetOf({ ...target, namespace: namespaceOf(object) }, nameOf(object)),
      options: deleteOptions({ propagationPolicy, preconditions }),
      context: this.#context(),
    });
  }

  /** Sets the owner references of an object, if it is unchanged since it was read. @throws {StatusError} 404, 409 */
  setOwners(live: LiveObject, ownerReferences: readonly JsonValue[]): Promise<KubeObject> {
    return this.#patch(live, { ownerReferences: [...ownerReferences] });
  }

  /** Removes a finalizer from an object, if it is unchanged since it was read. @throws {StatusError} 404, 409 */
  async removeFinalizer(live: LiveObject, finalizer: string): Promise<void> {
    const finalizers = stringList(own(metadataOf(live.object), 'finalizers'));
    if (!finalizers.includes(finalizer)) return;
    await this.#patch(live, { finalizers: finalizers.filter((one) => one !== finalizer) });
  }

  async #patch(
    { target, object }: LiveObject,
    metadata: { readonly [field: string]: JsonValue },
  ): Promise<KubeObject> {
    const resourceVersion = metadataString(object, 'resourceVersion');
    const patch = { metadata: { ...metadata, resourceVersion } };
    const { responseObject } = await this.#registry.patch({
      target: objectTargetOf(target, nameOf(object)),
      type: 'merge',
      bytes: Buffer.from(JSON.stringify(patch)),
      options: patchOptions,
      context: this.#context(),
    });
    return responseObject.object();
  }

  #context() {
    return controllerContext('ilk', this.#signal);
  }
}

/** The references as they are stored, unknown fields included. */
export function storedReferences(object: KubeObject): JsonValue[] {
  return ownList(metadataOf(object), 'ownerReferences') ?? [];
}

function sameOwners(a: KubeObject, b: KubeObject): boolean {
  return JSON.stringify(storedReferences(a)) === JSON.stringify(storedReferences(b));
}
