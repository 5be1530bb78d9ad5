import { setTimeout as sleep } from 'node:timers/promises';
import { type KubeObject, metadataString, nameOf, namespaceOf } from '../../meta/index.ts';
import { type Target, targetOf } from '../../registry/index.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../client.ts';
import type { ControllerParts } from '../controller-parts.ts';
import { follow } from '../follow.ts';
import { WorkQueue } from '../work-queue.ts';
import { applyStage } from './apply-stage.ts';
import { chooseStage } from './choose-stage.ts';
import type { Stage } from './stage.ts';

/** How often to look for a kind that is not served yet. */
const lookMs = 250;
/** A stage that an object comes to again and again waits so long in between. */
const repeatMsMin = 1_000;

/** Takes the objects of one kind through their stages. */
class KindStages {
  readonly #parts: ControllerParts;
  readonly #stages: readonly Stage[];
  readonly #queue: WorkQueue;
  readonly #objects = new Map<string, StagedObject>();

  constructor(parts: ControllerParts, stages: readonly Stage[]) {
    this.#parts = parts;
    this.#stages = stages;
    this.#queue = new WorkQueue({
      work: (key) => this.#work(key),
      workersMax: 1,
      retryMsMax: 5_000,
      onTrouble: (error) => {
        const isExpected = isConflict(error) || isNotFound(error) || isAlreadyExists(error);
        if (!isExpected && !parts.signal.aborted) parts.onTrouble(error);
      },
    });
  }

  async run(): Promise<void> {
    const { registry, signal, onTrouble } = this.#parts;
    const following = follow({
      registry,
      signal,
      onTrouble,
      findTarget: () => this.#findTarget(),
      onChange: ({ type, object }) => this.#changed(object, type === 'DELETED'),
    });
    await following.done;
    for (const { cancel } of this.#objects.values()) cancel?.();
    await this.#queue.close();
  }

  /** Waits until the kind is served. */
  async #findTarget(namespace = ''): Promise<Target> {
    const { registry, signal } = this.#parts;
    const [first] = this.#stages;
    for (;;) {
      const { resources } = await registry.freshCatalog();
      const found = resources.find(({ type }) => type.group === first?.group && type.kind === first?.kind);
      const served =
        found && (await registry.find(found.type.group, first?.version ?? '', found.type.resource));
      if (served !== undefined) return targetOf(served, namespace);
      await sleep(lookMs, undefined, { signal });
    }
  }

  #changed(object: KubeObject, isGone: boolean): void {
    const key = `${namespaceOf(object)}/${nameOf(object)}`;
    const known = this.#objects.get(key);
    if (isGone) {
      known?.cancel?.();
      this.#objects.delete(key);
      return;
    }
    if (known !== undefined && isSameOrOlder(object, known.object)) return;
    const staged = known !== undefined && uidOf(known.object) === uidOf(object) ? known : newcomer(object);
    if (staged !== known) known?.cancel?.();
    staged.object = object;
    this.#objects.set(key, staged);
    if (!staged.isApplying) this.#plan(key, staged);
  }

  /** Sets the timer of the stage that the object is in, unless it runs. */
  #plan(key: string, staged: StagedObject): void {
    const stage = chooseStage(this.#stages, staged.object);
    if (stage === staged.stage && staged.cancel !== undefined) return;
    staged.cancel?.();
    staged.cancel = undefined;
    staged.stage = stage;
    if (stage === undefined) return;
    const delayMs = stage === staged.applied ? Math.max(stage.delayMs, repeatMsMin) : stage.delayMs;
    if (delayMs === 0) {
      staged.cancel = () => {};
      this.#queue.add(key);
    } else {
      staged.cancel = this.#parts.timers.after(delayMs, () => this.#queue.add(key));
    }
  }

  async #work(key: string): Promise<void> {
    const staged = this.#objects.get(key);
    if (staged?.stage === undefined || staged.cancel === undefined) return;
    const { stage, object } = staged;
    const { registry, signal, clock } = this.#parts;
    const target = await this.#findTarget(namespaceOf(object));
    staged.isApplying = true;
    try {
      const after = await applyStage({ registry, signal, target, object, stage, nowMs: clock.now() });
      staged.cancel = undefined;
      staged.applied = stage;
      const isChanged = after !== undefined && !isSameOrOlder(after, object);
      if (isChanged && !isSameOrOlder(after, staged.object)) staged.object = after;
      if (isChanged || staged.object !== object) this.#plan(key, staged);
    } finally {
      staged.isApplying = false;
    }
  }
}

/** An object on its way through stages. */
interface StagedObject {
  object: KubeObject;
  /** The stage that it is in. */
  stage: Stage | undefined;
  /** Ends the wait for that stage; undefined where none is waited for. */
  cancel: (() => void) | undefined;
  /** The last stage that was applied. */
  applied: Stage | undefined;
  isApplying: boolean;
}

const newcomer = (object: KubeObject): StagedObject => ({
  object,
  stage: undefined,
  cancel: undefined,
  applied: undefined,
  isApplying: false,
});

const uidOf = (object: KubeObject): string => metadataString(object, 'uid') ?? '';
const versionOf = (object: KubeObject): number => Number(metadataString(object, 'resourceVersion') ?? 0);
const isSameOrOlder = (object: KubeObject, known: KubeObject): boolean =>
  uidOf(object) === uidOf(known) && versionOf(object) <= versionOf(known);

/** Moves objects through the configured stages, until the signal aborts. */
export async function runStages(parts: ControllerParts, stages: readonly Stage[]): Promise<void> {
  const kinds = new Map<string, Stage[]>();
  for (const stage of stages) {
    const kind = `${stage.group}/${stage.version} ${stage.kind}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), stage]);
  }
  await Promise.all([...kinds.values()].map((some) => new KindStages(parts, some).run()));
}
