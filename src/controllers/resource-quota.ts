import { performance } from 'node:perf_hooks';
import {
  addQuantities,
  counterNamed,
  isInScopes,
  quantityTextOf,
  type QuotaCounter,
  wholeQuantity,
} from '../admission/index.ts';
import { equal, type JsonObject, type KubeObject, nameOf, namespaceOf, ownObject } from '../meta/index.ts';
import { ChangeNotifier, type CollectionRevision } from './change-notifier.ts';
import { bodyOf, controllerContext, isConflict, isNotFound, objectTargetOf, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { follow } from './follow.ts';
import type { RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

const quotaResource = { group: '', version: 'v1', resource: 'resourcequotas' };
const writeOptions = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore' } as const;

/** After a change nobody counts again before this. */
const restMsMin = 20;
/** Counting takes no more than one part in so many of the time. */
const restFactor = 10;

/**
 * Counts what the objects of a namespace use of its quotas, and writes it to their status: when a quota is made or
 * changed, and after objects that it counts have come or gone. Admission adds what is about to be created.
 * Source: kubernetes, pkg/controller/resourcequota.
 */
export function runResourceQuota(parts: ControllerParts): RunningController {
  const { registry, signal, onTrouble } = parts;
  const controller = new QuotaController(parts);
  const following = follow({
    registry,
    findTarget: () => servedTarget(registry, quotaResource),
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

function keyOf(quota: KubeObject): string {
  return `${namespaceOf(quota)}/${nameOf(quota)}`;
}

function limitsOf(quota: KubeObject, part: 'spec' | 'status'): JsonObject {
  return ownObject(ownObject(quota, part) ?? {}, 'hard') ?? {};
}

class QuotaController {
  readonly #parts: ControllerParts;
  readonly #queue: WorkQueue;
  readonly #notifier: ChangeNotifier;
  /** How long counting for a quota took the last time. */
  readonly #tookMs = new Map<string, number>();

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    const onTrouble = (error: unknown) => {
      if (!isConflict(error) && !isNotFound(error)) parts.onTrouble(error);
    };
    this.#queue = new WorkQueue({ work: (key) => this.#sync(key), workersMax: 4, onTrouble });
    this.#notifier = new ChangeNotifier({ ...parts, notify: (key) => this.#countSoon(key) });
  }

  /** A quota whose limits are not yet those of its status wants to be counted. */
  see(quota: KubeObject): void {
    const key = keyOf(quota);
    const isCounted = this.#tookMs.has(key) && equal(limitsOf(quota, 'spec'), limitsOf(quota, 'status'));
    if (!isCounted) this.#queue.add(key);
  }

  forget(quota: KubeObject): void {
    this.#tookMs.delete(keyOf(quota));
    this.#notifier.clear(keyOf(quota));
  }

  get idle(): boolean {
    return this.#queue.idle && this.#notifier.idle;
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#notifier.close();
  }

  #countSoon(key: string): void {
    this.#queue.addAfter(key, Math.max(restMsMin, restFactor * (this.#tookMs.get(key) ?? 0)));
  }

  async #sync(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const target = objectTargetOf(await servedTarget(this.#parts.registry, quotaResource, namespace), name);
    const quota = await this.#read(target);
    if (quota === undefined) return;
    const start = performance.now();
    const count = new Count(this.#parts, quota, this.#context());
    const status = { hard: limitsOf(quota, 'spec'), used: await count.used() };
    this.#tookMs.set(key, performance.now() - start);
    this.#notifier.set(key, count.collections);
    if (equal(status, ownObject(quota, 'status') ?? {})) return;
    const body = bodyOf({ ...quota, status });
    const endpoint = { ...target, endpoint: 'status' } as const;
    await this.#parts.registry.update({
      target: endpoint,
      body,
      options: writeOptions,
      context: this.#context(),
    });
  }

  async #read(target: ReturnType<typeof objectTargetOf>): Promise<KubeObject | undefined> {
    try {
      const read = { target, resourceVersion: '', context: this.#context() };
      return (await this.#parts.registry.get(read)).object();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #context() {
    return controllerContext('ilk', this.#parts.signal);
  }
}

type Sums = Map<string, ReturnType<typeof wholeQuantity>>;

/** Counts once for one quota. */
class Count {
  /** What was counted, as of when. */
  readonly collections: CollectionRevision[] = [];
  readonly #parts: ControllerParts;
  readonly #quota: KubeObject;
  readonly #context: ReturnType<typeof controllerContext>;

  constructor(parts: ControllerParts, quota: KubeObject, context: ReturnType<typeof controllerContext>) {
    this.#parts = parts;
    this.#quota = quota;
    this.#context = context;
  }

  /** By name; a name that nobody counts for is left out. */
  async used(): Promise<JsonObject> {
    const names = Object.keys(limitsOf(this.#quota, 'spec'));
    const counters = new Map<string, QuotaCounter>();
    for (const counter of names.map(counterNamed)) {
      if (counter !== undefined)
        counters.set(`${counter.resource.resource}.${counter.resource.group}`, counter);
    }
    const sums: Sums = new Map();
    for (const counter of counters.values()) await this.#add(counter, names, sums);
    return Object.fromEntries([...sums].map(([name, sum]) => [name, quantityTextOf(sum)]));
  }

  /** Sums up the names that a counter counts for. */
  async #add(counter: QuotaCounter, names: readonly string[], sums: Sums): Promise<void> {
    const target = await this.#targetOf(counter);
    if (target === undefined) return;
    for (const name of names) if (counter.counts(name)) sums.set(name, wholeQuantity(0));
    const { objects, revision } = await this.#parts.registry.listStored(target, this.#context);
    this.collections.push({ target, revision });
    for (const object of objects.filter((one) => isInScopes(this.#quota, counter, one))) {
      for (const [name, quantity] of counter.usage(object)) {
        const sum = sums.get(name);
        if (sum !== undefined) sums.set(name, addQuantities(sum, quantity));
      }
    }
  }

  /** Undefined for a resource that is not served, or not in namespaces. */
  async #targetOf({ resource: { group, resource } }: QuotaCounter) {
    const { resources } = await this.#parts.registry.freshCatalog();
    const found = resources.find(({ type }) => type.group === group && type.resource === resource);
    const version = found?.type.versions.find(({ served }) => served);
    if (found === undefined || version === undefined || !found.type.namespaced) return undefined;
    const name = { group, version: version.name, resource };
    return servedTarget(this.#parts.registry, name, namespaceOf(this.#quota));
  }
}
