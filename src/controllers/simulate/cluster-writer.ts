import {
  equal,
  type JsonObject,
  type KubeObject,
  metadataString,
  nameOf,
  namespaceOf,
} from '../../meta/index.ts';
import type { Registry } from '../../registry/index.ts';
import {
  bodyOf,
  controllerContext,
  isAlreadyExists,
  isNotFound,
  objectTargetOf,
  servedTarget,
} from '../client.ts';
import type { ClusterView } from './cluster-view.ts';
import { keyOf, statusOf, uidOf } from './fields.ts';
import { apiVersionOf, pods, type ResourceName } from './resources.ts';

const fieldManager = 'ilk-simulate';
const writeOptions = { dryRun: false, fieldManager, fieldValidation: 'Ignore' } as const;
const deleteOptions = {
  gracePeriodSeconds: 0,
  orphanDependents: undefined,
  propagationPolicy: 'Background',
  dryRun: false,
  ignoreStoreReadErrorWithClusterBreakingPotential: false,
} as const;

interface WriterParts {
  readonly registry: Registry;
  readonly view: ClusterView;
  readonly signal: AbortSignal;
}

/** Writes as the controllers of a cluster do; the view knows of each write at once. */
export class ClusterWriter {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Does nothing if it exists already, or its namespace is deleted. */
  async create(resource: ResourceName, object: JsonObject & { metadata: JsonObject }): Promise<void> {
    const whole: KubeObject = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
    const target = await servedTarget(this.#parts.registry, resource, namespaceOf(whole));
    try {
      const request = { target, body: bodyOf(whole), options: writeOptions, context: this.#context() };
      const made = await this.#parts.registry.create(request);
      this.#parts.view.put(resource, made.object());
    } catch (error) {
      if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
    }
  }

  /** Replaces an object; its resourceVersion must be that of now. */
  update(resource: ResourceName, object: KubeObject): Promise<KubeObject> {
    return this.#write(resource, object, '');
  }

  /** Writes a status that differs. */
  async setStatus(resource: ResourceName, object: KubeObject, status: JsonObject): Promise<KubeObject> {
    if (equal(statusOf(object), status)) return object;
    return this.#write(resource, { ...object, status }, 'status');
  }

  /** Binds a pod to a node. */
  async bind(pod: KubeObject, nodeName: string): Promise<void> {
    const { registry, view } = this.#parts;
    const bound = await registry.bind({
      pods: await servedTarget(registry, pods, namespaceOf(pod)),
      name: nameOf(pod),
      nodeName,
      uid: uidOf(pod),
      resourceVersion: metadataString(pod, 'resourceVersion') ?? '',
      annotations: {},
      labels: {},
      dryRun: false,
      context: this.#context(),
    });
    view.put(pods, bound.object());
  }

  /** Only this very object, not another one of its name. */
  async delete(resource: ResourceName, object: KubeObject): Promise<void> {
    const target = await servedTarget(this.#parts.registry, resource, namespaceOf(object));
    try {
      const request = {
        target: objectTargetOf(target, nameOf(object)),
        options: { ...deleteOptions, preconditions: { uid: uidOf(object) } },
        context: this.#context(),
      };
      const { deleted } = await this.#parts.registry.delete(request);
      if (deleted) this.#parts.view.remove(resource, keyOf(object));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #write(resource: ResourceName, object: KubeObject, endpoint: '' | 'status'): Promise<KubeObject> {
    const { registry, view } = this.#parts;
    const target = await servedTarget(registry, resource, namespaceOf(object));
    const request = {
      target: objectTargetOf(target, nameOf(object), endpoint),
      body: bodyOf(object),
      options: writeOptions,
      context: this.#context(),
    };
    const written = (await registry.update(request)).responseObject.object();
    view.put(resource, written);
    return written;
  }

  #context() {
    return controllerContext(fieldManager, this.#parts.signal);
  }
}
