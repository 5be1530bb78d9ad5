import { performance } from 'node:perf_hooks';
import { type JsonObject, type KubeObject, nameOf, namespaceOf } from '../meta/index.ts';
import type { ObjectTarget, RequestContext } from '../registry/index.ts';
import { ChangeNotifier, type CollectionRevision } from './change-notifier.ts';
import { bodyOf, controllerContext, isConflict, isNotFound, objectTargetOf, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { follow } from './follow.ts';
import type { RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

const writeOptions = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore' } as const;

/** After a change, an object waits this many times as long as its last computation took. */
const restFactor = 10;

/** A computed status. */
export interface ComputedStatus {
  readonly status: JsonObject;
  /** The collections it was computed from: a change in one of them causes another computation. */
  readonly collections: readonly CollectionRevision[];
  /** When it becomes outdated without a change, in milliseconds since 1970. */
  readonly recheckMs?: number | undefined;
}

/** How the status of one resource is computed. */
interface StatusComputation {
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** The shortest wait between a change in a collection and the next computation, in milliseconds. */
  readonly restMsMin: number;
  /** Whether a changed object, whose status was computed before, needs another computation. */
  needsComputation(object: KubeObject): boolean;
  compute(object: KubeObject, context: RequestContext): Promise<ComputedStatus>;
  /** True if the object has this status. */
  isUpToDate(object: KubeObject, status: JsonObject): boolean;
}

/**
 * Keeps the status of all objects of a resource up to date: computes it when an object appears or changes, and when
 * one of the collections changes that it was computed from.
 */
export function runStatusController(
  parts: ControllerParts,
  computation: StatusComputation,
): RunningController {
  const { registry, signal, onTrouble } = parts;
  const controller = new StatusController(parts, computation);
  const following = follow({
    registry,
    findTarget: () => servedTarget(registry, computation.resource),
    signal,
    onTrouble,
    onChange: ({ type, object }) => {
      if (type === 'DELETED') controller.forget(object);
      else controller.see(object);
    },
  });
  return {
    done: following.done.then(() => controller.close()),
    idleState: () => (controller.idle ? following.rest() : undefined),
  };
}

const keyOf = (object: KubeObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

class StatusController {
  readonly #parts: ControllerParts;
  readonly #computation: StatusComputation;
  readonly #queue: WorkQueue;
  readonly #notifier: ChangeNotifier;
  readonly #rechecks = new Map<string, () => void>();
  /** How long the last computation for an object took. */
  readonly #tookMs = new Map<string, number>();

  constructor(parts: ControllerParts, computation: StatusComputation) {
    this.#parts = parts;
    this.#computation = computation;
    const onTrouble = (error: unknown) => {
      if (!isConflict(error) && !isNotFound(error)) parts.onTrouble(error);
    };
    this.#queue = new WorkQueue({ work: (key) => this.#sync(key), workersMax: 4, onTrouble });
    const restMs = (key: string) =>
      Math.max(computation.restMsMin, restFactor * (this.#tookMs.get(key) ?? 0));
    const notify = (key: string) => this.#queue.addAfter(key, restMs(key));
    this.#notifier = new ChangeNotifier({ ...parts, notify });
  }

  see(object: KubeObject): void {
    const key = keyOf(object);
    if (!this.#tookMs.has(key) || this.#computation.needsComputation(object)) this.#queue.add(key);
  }

  forget(object: KubeObject): void {
    const key = keyOf(object);
    this.#tookMs.delete(key);
    this.#notifier.clear(key);
    this.#recheckAt(key, undefined);
  }

  get idle(): boolean {
    return this.#queue.idle && this.#notifier.idle && this.#rechecks.size === 0;
  }

  async close(): Promise<void> {
    for (const key of [...this.#rechecks.keys()]) this.#recheckAt(key, undefined);
    await this.#queue.close();
    await this.#notifier.close();
  }

  async #sync(key: string): Promise<void> {
    const { registry } = this.#parts;
    const [namespace = '', name = ''] = key.split('/');
    const target = objectTargetOf(await servedTarget(registry, this.#computation.resource, namespace), name);
    const object = await this.#read(target);
    if (object === undefined) return;
    const context = this.#context();
    const start = performance.now();
    const { status, collections, recheckMs } = await this.#computation.compute(object, context);
    this.#tookMs.set(key, performance.now() - start);
    this.#notifier.set(key, collections);
    this.#recheckAt(key, recheckMs);
    if (this.#computation.isUpToDate(object, status)) return;
    const body = bodyOf({ ...object, status });
    const endpoint = { ...target, endpoint: 'status' } as const;
    await registry.update({ target: endpoint, body, options: writeOptions, context: this.#context() });
  }

  #recheckAt(key: string, atMs: number | undefined): void {
    this.#rechecks.get(key)?.();
    this.#rechecks.delete(key);
    if (atMs === undefined) return;
    const delayMs = atMs + 1 - this.#parts.clock.now();
    // The clock may have passed it since the status was computed.
    if (delayMs <= 0) return this.#queue.add(key);
    const cancel = this.#parts.timers.after(delayMs, () => {
      this.#rechecks.delete(key);
      this.#queue.add(key);
    });
    this.#rechecks.set(key, cancel);
  }

  async #read(target: ObjectTarget): Promise<KubeObject | undefined> {
    try {
      const read = { target, resourceVersion: '', context: this.#context() };
      return (await this.#parts.registry.get(read)).object();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #context(): RequestContext {
    return controllerContext('ilk', this.#parts.signal);
  }
}
