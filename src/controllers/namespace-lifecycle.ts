import {
  equal,
  type KubeObject,
  metadataOf,
  nameOf,
  own,
  ownList,
  ownObject,
  stringList,
} from '../meta/index.ts';
import { ChangeNotifier } from './change-notifier.ts';
import { bodyOf, controllerContext, isConflict, isNotFound, objectTargetOf, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { follow } from './follow.ts';
import { namespaceConditions } from './namespace-conditions.ts';
import { clearNamespace, type ContentRound } from './namespace-content.ts';
import type { RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

const namespaceResource = { group: '', version: 'v1', resource: 'namespaces' };
const finalizer = 'kubernetes';
const writeOptions = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore' } as const;

/**
 * Deletes the content of a namespace that is being deleted, lists the rest in its conditions, and removes the finalizer
 * `kubernetes` when it is empty, which deletes the namespace. Upstream starts after 5 seconds, because its servers
 * may not know of the deletion yet, and polls every few seconds; here it reacts to every deletion.
 * Source: kubernetes, pkg/controller/namespace.
 */
export function runNamespaceLifecycle(parts: ControllerParts): RunningController {
  const { registry, signal, onTrouble } = parts;
  const controller = new NamespaceLifecycle(parts);
  const onChange = ({ type, object }: { type: string; object: KubeObject }) => {
    if (type === 'DELETED') controller.forget(nameOf(object));
    else if (isDeleted(object)) controller.add(nameOf(object));
  };
  const findTarget = () => servedTarget(registry, namespaceResource);
  const following = follow({ registry, findTarget, signal, onTrouble, onChange });
  return {
    done: following.done.then(() => controller.close()),
    idleState: () => (controller.idle ? following.rest() : undefined),
  };
}

function isDeleted(namespace: KubeObject): boolean {
  return own(metadataOf(namespace), 'deletionTimestamp') !== undefined;
}

function finalizersOf(namespace: KubeObject): string[] {
  return stringList(own(ownObject(namespace, 'spec') ?? {}, 'finalizers'));
}

class NamespaceLifecycle {
  readonly #parts: ControllerParts;
  readonly #queue: WorkQueue;
  readonly #notifier: ChangeNotifier;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    const onTrouble = (error: unknown) => {
      if (!isConflict(error) && !isNotFound(error)) parts.onTrouble(error);
    };
    this.#queue = new WorkQueue({ work: (name) => this.#sync(name), workersMax: 10, onTrouble });
    this.#notifier = new ChangeNotifier({ ...parts, notify: (name) => this.#queue.add(name) });
  }

  add(name: string): void {
    this.#queue.add(name);
  }

  forget(name: string): void {
    this.#notifier.clear(name);
  }

  get idle(): boolean {
    return this.#queue.idle && this.#notifier.idle;
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#notifier.close();
  }

  async #sync(name: string): Promise<void> {
    const { registry } = this.#parts;
    const namespace = await this.#read(name);
    if (namespace === undefined || !isDeleted(namespace) || finalizersOf(namespace).length === 0) return;
    const round = await clearNamespace(registry, name, this.#context());
    const told = await this.#tell(namespace, round);
    if (round.contentErrors.length > 0) throw new Error(round.contentErrors.join(', '));
    if (round.moments.length > 0) this.#notifier.set(name, round.moments);
    else await this.#finalize(told);
  }

  async #read(name: string): Promise<KubeObject | undefined> {
    const target = objectTargetOf(await servedTarget(this.#parts.registry, namespaceResource), name);
    try {
      const request = { target, resourceVersion: '', context: this.#context() };
      return (await this.#parts.registry.get(request)).object();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Writes the conditions, and the phase Terminating if it is missing. */
  async #tell(namespace: KubeObject, round: ContentRound): Promise<KubeObject> {
    const status = ownObject(namespace, 'status') ?? {};
    const present = ownList(status, 'conditions') ?? [];
    const conditions = namespaceConditions(present, round, this.#parts.clock.now());
    const told = { ...status, phase: 'Terminating', conditions };
    if (equal(told, status)) return namespace;
    return this.#write({ ...namespace, status: told }, 'status');
  }

  async #finalize(namespace: KubeObject): Promise<void> {
    const finalizers = finalizersOf(namespace).filter((one) => one !== finalizer);
    const spec = { ...(ownObject(namespace, 'spec') ?? {}), finalizers: [...new Set(finalizers)].sort() };
    await this.#write({ ...namespace, spec }, 'finalize');
  }

  async #write(namespace: KubeObject, endpoint: 'status' | 'finalize'): Promise<KubeObject> {
    const { registry } = this.#parts;
    const target = objectTargetOf(
      await servedTarget(registry, namespaceResource),
      nameOf(namespace),
      endpoint,
    );
    const context = this.#context();
    const request = { target, body: bodyOf(namespace), options: writeOptions, context };
    return (await registry.update(request)).responseObject.object();
  }

  #context() {
    return controllerContext('ilk', this.#parts.signal);
  }
}
