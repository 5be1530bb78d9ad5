import { type CrdCondition, hasCondition, isConditionTrue, setCondition } from '../crd/index.ts';
import { type KubeObject, metadataOf, metadataString, nameOf, own, stringList } from '../meta/index.ts';
import { type Target, targetOf } from '../registry/index.ts';
import { ChangeNotifier } from './change-notifier.ts';
import { clearCollection, type Remaining } from './clear-collection.ts';
import { bodyOf, controllerContext, isConflict, isNotFound, objectTargetOf, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { crdResource } from './crd-feed.ts';
import type { RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

const finalizer = 'customresourcecleanup.apiextensions.k8s.io';
const writeOptions = { dryRun: false, fieldManager: 'kube-apiserver', fieldValidation: 'Ignore' } as const;

/** Stored where CRDs of the same name would have their instances: never to be deleted with those. */
const overlappingBuiltIns: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

/** After this time the CRD reports that the deletion is not confirmed; the controller continues to wait. */
const confirmMsMax = 60_000;

/** How long a CRD that others hold is Terminating at least. */
const shownMsMin = 1_000;

interface CrdFinalizerOptions extends ControllerParts {
  readonly confirmMsMax?: number;
  readonly shownMsMin?: number;
}

/**
 * Deletes the instances of a CRD that is being deleted, and removes its finalizer after the last one. Instances are deleted
 * without admission; their finalizers are honoured without a limit, and it reacts to each deletion at once.
 * Source: apiextensions-apiserver, pkg/controller/finalizer/crd_finalizer.go.
 */
export function runCrdFinalizer(options: CrdFinalizerOptions): RunningController {
  const controller = new CrdFinalizer(options);
  const following = options.crds.follow(({ name, gone, crd }) => {
    if (gone) controller.forget(name);
    else if (isWaiting(crd)) controller.add(name);
  });
  return {
    done: following.done.then(() => controller.close()),
    idleState: () => (controller.idle ? following.rest() : undefined),
  };
}

function isWaiting(crd: KubeObject): boolean {
  const metadata = metadataOf(crd);
  return (
    own(metadata, 'deletionTimestamp') !== undefined &&
    stringList(own(metadata, 'finalizers')).includes(finalizer)
  );
}

class CrdFinalizer {
  readonly #options: CrdFinalizerOptions;
  readonly #queue: WorkQueue;
  readonly #notifier: ChangeNotifier;
  /** When the instances of a CRD were first found to stay, by the uid of the CRD. */
  readonly #waitingSinceMs = new Map<string, number>();
  /** When the CRD was first seen to go, by its uid. */
  readonly #settlingSinceMs = new Map<string, number>();

  constructor(options: CrdFinalizerOptions) {
    this.#options = options;
    const onTrouble = (error: unknown) => {
      // Deleted or changed meanwhile: that change queues the CRD again.
      if (!isConflict(error) && !isNotFound(error)) options.onTrouble(error);
    };
    this.#queue = new WorkQueue({ work: (name) => this.#sync(name), onTrouble });
    this.#notifier = new ChangeNotifier({ ...options, notify: (name) => this.#queue.add(name) });
  }

  add(name: string): void {
    this.#queue.add(name);
  }

  forget(name: string): void {
    this.#notifier.clear(name);
    this.#waitingSinceMs.delete(name);
  }

  get idle(): boolean {
    return this.#queue.idle && this.#notifier.idle;
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#notifier.close();
  }

  async #sync(name: string): Promise<void> {
    const crd = await this.#read(name);
    if (crd === undefined || !isWaiting(crd)) return;
    if (overlappingBuiltIns.has(name)) return this.#release(crd, overlapping);
    if (!isConditionTrue(crd, 'Established')) return this.#release(crd, neverEstablished);
    const begun = this.#waitingSinceMs.has(name) ? crd : await this.#say(crd, inProgress);
    if (!this.#isSettled(crd)) return;
    const target = await this.#instancesOf(crd);
    if (target === undefined) return this.#complete(begun);
    const remaining = await this.#clear(begun, target);
    if (remaining.objects.length === 0) return this.#complete(begun);
    await this.#wait(begun, target, remaining);
  }

  /**
   * Other servers may still write instances that they accepted before they saw the deletion of the CRD: these
   * are deleted after the settle time.
   */
  #isSettled(crd: KubeObject): boolean {
    const { settleMs = 0, clock } = this.#options;
    if (settleMs === 0) return true;
    const uid = metadataString(crd, 'uid');
    const sinceMs = this.#settlingSinceMs.get(uid) ?? clock.now();
    const leftMs = sinceMs + settleMs - clock.now();
    if (leftMs > 0) this.#queue.addAfter(nameOf(crd), leftMs);
    this.#settlingSinceMs.set(uid, sinceMs);
    return leftMs <= 0;
  }

  async #read(name: string): Promise<KubeObject | undefined> {
    const target = objectTargetOf(await servedTarget(this.#options.registry, crdResource), name);
    try {
      const responseObject = await this.#options.registry.get({
        target,
        resourceVersion: '',
        context: this.#context(),
      });
      return responseObject.object();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** By the CRD's uid, and in the storage version: also a CRD that serves no version has its instances. */
  async #instancesOf(crd: KubeObject): Promise<Target | undefined> {
    const { resources } = await this.#options.registry.freshCatalog();
    const resource = resources.find(({ type }) => type.uid === metadataString(crd, 'uid'));
    if (resource === undefined) return undefined;
    const { type, epoch, changes } = resource;
    return targetOf({ resource, type, version: type.storageVersion, epoch, changes }, '');
  }

  async #clear(crd: KubeObject, target: Target): Promise<Remaining> {
    const { registry } = this.#options;
    try {
      return await clearCollection(registry, target, { context: this.#context(), withoutAdmission: true });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      await this.#say(crd, failed(`could not issue all deletes: ${text}`));
      throw error;
    }
  }

  async #wait(crd: KubeObject, target: Target, { revision }: Remaining): Promise<void> {
    const name = nameOf(crd);
    const nowMs = this.#options.clock.now();
    const sinceMs = this.#waitingSinceMs.get(name) ?? nowMs;
    const waitMs = this.#options.confirmMsMax ?? confirmMsMax;
    if (!this.#waitingSinceMs.has(name)) {
      this.#waitingSinceMs.set(name, nowMs);
      this.#queue.addAfter(name, waitMs);
    }
    if (nowMs - sinceMs >= waitMs) await this.#say(crd, unconfirmed);
    this.#notifier.set(name, [{ target, revision }]);
  }

  /**
   * A CRD with other finalizers stays Terminating for a moment, so that the client that deleted it can see the
   * condition: upstream needs some round trips for work that is done here before the client asks. Without other
   * finalizers it is deleted at once.
   */
  async #complete(crd: KubeObject): Promise<void> {
    const name = nameOf(crd);
    const held = stringList(own(metadataOf(crd), 'finalizers')).some((one) => one !== finalizer);
    const shownMs = this.#options.shownMsMin ?? shownMsMin;
    if (!held) return this.#release(crd, completed);
    const nowMs = this.#options.clock.now();
    const sinceMs = this.#waitingSinceMs.get(name);
    if (sinceMs !== undefined && nowMs - sinceMs >= shownMs) return this.#release(crd, completed);
    this.#waitingSinceMs.set(name, sinceMs ?? nowMs);
    this.#queue.addAfter(name, shownMs - (nowMs - (sinceMs ?? nowMs)));
  }

  async #say(crd: KubeObject, condition: CrdCondition): Promise<KubeObject> {
    if (hasCondition(crd, condition)) return crd;
    setCondition(crd, condition, this.#options.clock.now());
    return this.#write(crd);
  }

  /** The condition and the finalizer go in one write: with the last finalizer the CRD is gone. */
  async #release(crd: KubeObject, condition: CrdCondition): Promise<void> {
    setCondition(crd, condition, this.#options.clock.now());
    const metadata = metadataOf(crd);
    metadata['finalizers'] = stringList(own(metadata, 'finalizers')).filter((one) => one !== finalizer);
    await this.#write(crd);
    this.forget(nameOf(crd));
    this.#settlingSinceMs.delete(metadataString(crd, 'uid'));
  }

  async #write(crd: KubeObject): Promise<KubeObject> {
    const { registry } = this.#options;
    const target = objectTargetOf(await servedTarget(registry, crdResource), nameOf(crd), 'status');
    const context = this.#context();
    const { responseObject } = await registry.update({
      target,
      body: bodyOf(crd),
      options: writeOptions,
      context,
    });
    return responseObject.object();
  }

  #context() {
    return controllerContext('kube-apiserver', this.#options.signal);
  }
}

const inProgress = terminating(
  'True',
  'InstanceDeletionInProgress',
  'CustomResource deletion is in progress',
);
const completed = terminating('False', 'InstanceDeletionCompleted', 'removed all instances');
const neverEstablished = terminating('False', 'NeverEstablished', 'resource was never established');
const overlapping = terminating(
  'False',
  'OverlappingBuiltInResource',
  'instances overlap with built-in resources in storage',
);
const unconfirmed = terminating(
  'True',
  'InstanceDeletionCheck',
  'could not confirm zero CustomResources remaining: context deadline exceeded',
);

function failed(message: string): CrdCondition {
  return terminating('True', 'InstanceDeletionFailed', message);
}

function terminating(status: 'True' | 'False', reason: string, message: string): CrdCondition {
  return Object.freeze({ type: 'Terminating', status, reason, message });
}
