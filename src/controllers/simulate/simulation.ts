import { formatTime, type KubeObject, namespaceOf, ownString } from '../../meta/index.ts';
import { isConflict, isNotFound, servedTarget } from '../client.ts';
import type { ControllerParts } from '../controller-parts.ts';
import { follow } from '../follow.ts';
import type { IdleState, RunningController } from '../idle-state.ts';
import { isMeant, runStages, type Stage } from '../stages/index.ts';
import { WorkQueue } from '../work-queue.ts';
import { ClusterView } from './cluster-view.ts';
import { ClusterWriter } from './cluster-writer.ts';
import { claimReconciler } from './claims.ts';
import { cronJobReconciler } from './cron-jobs.ts';
import { daemonSetReconciler } from './daemon-sets.ts';
import { deploymentReconciler } from './deployments.ts';
import { controllerOf, keyOf } from './fields.ts';
import { jobReconciler } from './jobs.ts';
import { ensureNode, nodeReconciler } from './nodes.ts';
import { podReconciler } from './pods.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { replicaSetReconciler } from './replica-sets.ts';
import { endpointSlices, type ResourceName, volumes } from './resources.ts';
import { serviceReconciler } from './services.ts';
import { statefulSetReconciler } from './stateful-sets.ts';

/** What is simulated. A new kind is a file and a line here. */
const reconcilers: readonly Reconciler[] = [
  nodeReconciler,
  podReconciler,
  replicaSetReconciler,
  deploymentReconciler,
  statefulSetReconciler,
  daemonSetReconciler,
  jobReconciler,
  cronJobReconciler,
  claimReconciler,
  serviceReconciler,
];

const followed: readonly ResourceName[] = [
  ...new Set([...reconcilers.map(({ resource }) => resource), volumes, endpointSlices]),
];

/**
 * Simulates the rest of a cluster: scheduler, kubelets and the controllers of workloads, by simple deterministic
 * rules. No containers run: pods reach the states of their course.
 */
export function runSimulation(parts: ControllerParts): RunningController {
  const simulation = new Simulation(parts);
  return {
    done: Promise.all([simulation.run(), runStages(parts, parts.stages ?? [])]).then(() => {}),
    // Its timers are of this server: a fork starts again from the stored objects.
    idleState: (): IdleState | undefined => undefined,
  };
}

class Simulation {
  readonly #parts: ControllerParts;
  readonly #cluster: Cluster;
  readonly #view = new ClusterView();
  readonly #queue: WorkQueue;
  readonly #timers = new Set<() => void>();

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    const { clock, registry, signal } = parts;
    this.#cluster = {
      view: this.#view,
      write: new ClusterWriter({ registry, view: this.#view, signal }),
      now: () => clock.now(),
      time: () => formatTime(clock.now()),
      later: (resource, key, delayMs) => this.#later(resource, key, delayMs),
    };
    const onTrouble = (error: unknown) => {
      if (!isConflict(error) && !isNotFound(error) && !signal.aborted) parts.onTrouble(error);
    };
    // One at a time: what one does the next one sees, so that the outcome is always the same.
    this.#queue = new WorkQueue({
      work: (key) => this.#sync(key),
      workersMax: 1,
      retryMsMax: 5_000,
      onTrouble,
    });
  }

  async run(): Promise<void> {
    const { registry, signal, onTrouble } = this.#parts;
    const following = followed.map((resource) =>
      follow({
        registry,
        signal,
        onTrouble,
        findTarget: () => servedTarget(registry, resource),
        onChange: ({ type, object }) => this.#changed(resource, object, type === 'DELETED'),
      }),
    );
    await ensureNode(registry, this.#cluster).catch((error) => {
      if (!signal.aborted) onTrouble(error);
    });
    await Promise.all(following.map(({ done }) => done));
    for (const cancel of this.#timers) cancel();
    await this.#queue.close();
  }

  #changed(resource: ResourceName, object: KubeObject, isGone: boolean): void {
    if (isGone) this.#view.remove(resource, keyOf(object));
    else this.#view.put(resource, object);
    for (const reconciler of reconcilers) {
      for (const key of keysFor(reconciler, resource, object, this.#view))
        this.#add(reconciler.resource, key);
    }
  }

  #add({ resource }: ResourceName, key: string): void {
    this.#queue.add(`${resource} ${key}`);
  }

  #later(resource: ResourceName, key: string, delayMs: number): void {
    const cancel = this.#parts.timers.after(delayMs, () => {
      this.#timers.delete(cancel);
      this.#add(resource, key);
    });
    this.#timers.add(cancel);
  }

  async #sync(item: string): Promise<void> {
    const [resource = '', key = ''] = item.split(' ');
    const reconciler = reconcilers.find((one) => one.resource.resource === resource);
    const object = reconciler && this.#view.get(reconciler.resource, key);
    if (reconciler === undefined || object === undefined) return;
    const stages = this.#stagesFor(reconciler.resource, object);
    if (stages.length === 0) return reconciler.sync(object, this.#cluster);
    const deletes = stages.some(({ next }) => next.delete);
    return reconciler.syncStaged?.(object, this.#cluster, { deletes });
  }

  /** The stages for an object, which replace the rules for its kind. */
  #stagesFor({ group, kind }: ResourceName, object: KubeObject): readonly Stage[] {
    const { stages = [] } = this.#parts;
    return stages.filter((one) => one.group === group && one.kind === kind && isMeant(one, object));
  }
}

/** The objects of a reconciler that a change may give work. */
function* keysFor(
  reconciler: Reconciler,
  resource: ResourceName,
  object: KubeObject,
  view: ClusterView,
): Generator<string> {
  if (resource === reconciler.resource) yield keyOf(object);
  const owner = reconciler.owns?.includes(resource) === true ? controllerOf(object) : undefined;
  if (owner !== undefined && ownString(owner, 'kind') === reconciler.resource.kind) {
    yield `${namespaceOf(object)}/${ownString(owner, 'name') ?? ''}`;
  }
  yield* reconciler.wakes?.get(resource)?.(object, view) ?? [];
}
