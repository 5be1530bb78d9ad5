import { performance } from 'node:perf_hooks';
import { formatTime, type JsonObject, type KubeObject, nameOf, namespaceOf } from '../../meta/index.ts';
import { selectsPod } from '../../registry/index.ts';
import { ChangeNotifier, type CollectionRevision } from '../change-notifier.ts';
import {
  bodyOf,
  controllerContext,
  isConflict,
  isNotFound,
  objectTargetOf,
  servedTarget,
} from '../client.ts';
import type { ControllerParts } from '../controller-parts.ts';
import { follow } from '../follow.ts';
import type { RunningController } from '../idle-state.ts';
import { WorkQueue } from '../work-queue.ts';
import {
  budgetStatus,
  expectationOf,
  failedStatus,
  isUpToDate,
  needsScale,
  nextRecheckMs,
} from './budget-status.ts';
import { ExpectedScale, ScaleProblem } from './expected-scale.ts';

const budgetResource = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
const podResource = { group: '', version: 'v1', resource: 'pods' };
const writeOptions = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore' } as const;

/** After a change a budget rests for so many times as long as its last computation took. */
const restFactor = 10;
const restMsMin = 5;

/**
 * Computes the status of PodDisruptionBudgets from their pods, and from what the controllers of these want: when a budget,
 * a pod of its namespace or such a controller changes. Evictions go by this status.
 * Source: kubernetes, pkg/controller/disruption.
 */
export function runDisruption(parts: ControllerParts): RunningController {
  const { registry, signal, onTrouble } = parts;
  const controller = new DisruptionController(parts);
  const following = follow({
    registry,
    findTarget: () => servedTarget(registry, budgetResource),
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

const keyOf = (budget: KubeObject): string => `${namespaceOf(budget)}/${nameOf(budget)}`;

class DisruptionController {
  readonly #parts: ControllerParts;
  readonly #queue: WorkQueue;
  readonly #notifier: ChangeNotifier;
  readonly #rechecks = new Map<string, () => void>();
  /** How long the last computation for a budget took. */
  readonly #tookMs = new Map<string, number>();

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    const onTrouble = (error: unknown) => {
      if (!isConflict(error) && !isNotFound(error)) parts.onTrouble(error);
    };
    this.#queue = new WorkQueue({ work: (key) => this.#sync(key), workersMax: 4, onTrouble });
    const notify = (key: string) =>
      this.#queue.addAfter(key, Math.max(restMsMin, restFactor * (this.#tookMs.get(key) ?? 0)));
    this.#notifier = new ChangeNotifier({ ...parts, notify });
  }

  see(budget: KubeObject): void {
    this.#queue.add(keyOf(budget));
  }

  forget(budget: KubeObject): void {
    const key = keyOf(budget);
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
    const [namespace = '', name = ''] = key.split('/');
    const target = objectTargetOf(await servedTarget(this.#parts.registry, budgetResource, namespace), name);
    const budget = await this.#read(target);
    if (budget === undefined) return;
    const start = performance.now();
    const { status, collections } = await this.#statusOf(budget);
    this.#tookMs.set(key, performance.now() - start);
    this.#notifier.set(key, collections);
    this.#recheckAt(key, nextRecheckMs(status));
    if (isUpToDate(budget, status)) return;
    const body = bodyOf({ ...budget, status });
    const endpoint = { ...target, endpoint: 'status' } as const;
    const context = this.#context();
    await this.#parts.registry.update({ target: endpoint, body, options: writeOptions, context });
  }

  async #statusOf(
    budget: KubeObject,
  ): Promise<{ readonly status: JsonObject; readonly collections: readonly CollectionRevision[] }> {
    const { registry, clock } = this.#parts;
    const [namespace, context] = [namespaceOf(budget), this.#context()];
    const target = await servedTarget(registry, podResource, namespace);
    const { objects, revision } = await registry.listStored(target, context);
    const pods = objects.filter((pod) => selectsPod(budget, pod));
    const scale = new ExpectedScale({ registry, namespace, context });
    const collections = () => [{ target, revision }, ...scale.collections];
    const nowMs = clock.now();
    const now = formatTime(nowMs);
    try {
      const wanted = needsScale(budget) ? await scale.of(pods) : 0;
      const expectation = expectationOf(budget, { scale: wanted, pods: pods.length });
      return { status: budgetStatus(budget, { pods, expectation, nowMs, now }), collections: collections() };
    } catch (error) {
      if (!(error instanceof ScaleProblem)) throw error;
      return { status: failedStatus(budget, error.message, now), collections: collections() };
    }
  }

  /** Looks again when an evicted pod that nobody deleted counts as healthy again. */
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
