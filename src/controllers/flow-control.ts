import {
  autoUpdateAnnotation,
  type FlowConfig,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
} from '../flowcontrol/index.ts';
import {
  type Clock,
  clone,
  formatTime,
  isObject,
  type JsonObject,
  type KubeObject,
  limits,
  metadataOf,
  nameOf,
  own,
  ownList,
  ownObject,
  ownString,
  type Timers,
} from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';
import {
  bodyOf,
  controllerContext,
  isAlreadyExists,
  isConflict,
  isNotFound,
  objectTargetOf,
  servedTarget,
} from './client.ts';
import { follow } from './follow.ts';
import { WorkQueue } from './work-queue.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const priorityLevels = { group, version: 'v1', resource: 'prioritylevelconfigurations' };
const flowSchemas = { group, version: 'v1', resource: 'flowschemas' };
type Resource = typeof priorityLevels;

/** Upstream's names in managed fields. */
const keeper = 'api-priority-and-fairness-config-producer-v1';
const consumer = 'api-priority-and-fairness-config-consumer-v1';

interface FlowControlParts {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Called with the configuration after each change. */
  readonly configure: (config: FlowConfig) => void;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Maintains the mandatory and suggested objects of priority and fairness, passes all objects to the flow controller, and
 * sets in the status of each FlowSchema whether its priority level exists. Every server does so by itself.
 *
 * @returns resolves when the signal has ended it
 */
export async function runFlowControl(parts: FlowControlParts): Promise<void> {
  const controller = new FlowControl(parts);
  const { registry, timers, signal, onTrouble } = parts;
  const following = [priorityLevels, flowSchemas].map((resource) => {
    const findTarget = () => servedTarget(registry, resource);
    const onChange = () => controller.look();
    return follow({ registry, findTarget, signal, onChange, onTrouble }).done;
  });
  const stop = timers.every(limits.flowObjectsMs, () => controller.keep());
  controller.keep();
  await Promise.all(following);
  stop();
  await controller.close();
}

class FlowControl {
  readonly #parts: FlowControlParts;
  readonly #queue: WorkQueue;

  constructor(parts: FlowControlParts) {
    this.#parts = parts;
    this.#queue = new WorkQueue({
      work: (task) => (task === 'keep' ? this.#keepAll() : this.#lookAtAll()),
      onTrouble: (error) => {
        if (!parts.signal.aborted && !isConflict(error) && !isNotFound(error)) parts.onTrouble(error);
      },
      workersMax: 1,
    });
  }

  /** Puts the objects right that every server has. */
  keep(): void {
    this.#queue.add('keep');
  }

  /** Looks at what there is. */
  look(): void {
    this.#queue.add('look');
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #keepAll(): Promise<void> {
    const mandatory = new Set([...mandatoryPriorityLevels, ...mandatoryFlowSchemas]);
    // Those of a resource at the same time, so that they share commits; levels first, as schemas name them.
    const keep = (resource: Resource, wanted: readonly KubeObject[]) =>
      Promise.all(wanted.map((one) => this.#keepOne(resource, one, mandatory.has(one))));
    await keep(priorityLevels, [...suggestedPriorityLevels, ...mandatoryPriorityLevels]);
    await keep(flowSchemas, [...suggestedFlowSchemas, ...mandatoryFlowSchemas]);
  }

  async #keepOne(resource: Resource, wanted: KubeObject, isMandatory: boolean): Promise<void> {
    const { registry, signal } = this.#parts;
    const context = controllerContext(keeper, signal);
    const target = objectTargetOf(await servedTarget(registry, resource), nameOf(wanted));
    const present = await this.#read(resource, nameOf(wanted));
    if (present === undefined) {
      const body = bodyOf(clone(wanted));
      await registry.create({ target, body, options, context }).catch(ignoreAlreadyExists);
    } else if ((isMandatory || isAutoUpdated(present)) && !hasSpecOf(present, wanted)) {
      const spec = { ...(ownObject(wanted, 'spec') ?? {}), ...keptSpec(present, isMandatory) };
      await registry.update({ target, body: bodyOf({ ...present, spec }), options, context });
    }
  }

  async #read(resource: Resource, name: string): Promise<KubeObject | undefined> {
    const { registry, signal } = this.#parts;
    const target = objectTargetOf(await servedTarget(registry, resource), name);
    try {
      const read = { target, resourceVersion: '', context: controllerContext(keeper, signal) };
      return (await registry.get(read)).object();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #lookAtAll(): Promise<void> {
    const levels = await this.#list(priorityLevels);
    const schemas = await this.#list(flowSchemas);
    this.#parts.configure({ flowSchemas: schemas, priorityLevels: levels });
    const names = new Set(levels.map(nameOf));
    for (const schema of schemas) await this.#tellDangling(schema, names);
    const isComplete = hasAll(levels, mandatoryPriorityLevels) && hasAll(schemas, mandatoryFlowSchemas);
    if (!isComplete) this.keep();
  }

  async #list(resource: Resource): Promise<KubeObject[]> {
    const { registry, signal } = this.#parts;
    const target = await servedTarget(registry, resource);
    const page = await registry.listAll(target, controllerContext(keeper, signal));
    return Array.from(page.items, (item) => item.object());
  }

  /** Source: apiserver, util/flowcontrol, presyncFlowSchemaStatus. */
  async #tellDangling(schema: KubeObject, levels: ReadonlySet<string>): Promise<void> {
    const { registry, signal, clock } = this.#parts;
    const status = danglingStatus(schema, levels, clock.now());
    if (status === undefined) return;
    const context = controllerContext(consumer, signal);
    const target = objectTargetOf(await servedTarget(registry, flowSchemas), nameOf(schema), 'status');
    await registry.update({ target, body: bodyOf({ ...schema, status }), options, context });
  }
}

const options = { dryRun: false, fieldManager: '', fieldValidation: 'Ignore' } as const;

function hasAll(present: readonly KubeObject[], wanted: readonly KubeObject[]): boolean {
  const names = new Set(present.map(nameOf));
  return wanted.every((one) => names.has(nameOf(one)));
}

function ignoreAlreadyExists(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}

/** Without the annotation, objects that were never changed are kept up to date. */
function isAutoUpdated(present: KubeObject): boolean {
  const metadata = metadataOf(present);
  const said = ownString(ownObject(metadata, 'annotations') ?? {}, autoUpdateAnnotation);
  return said === 'true' || (said !== 'false' && own(metadata, 'generation') === 1);
}

/** Whether the object has all wanted fields; the server may have added defaults. */
function hasSpecOf(present: KubeObject, wanted: KubeObject): boolean {
  const spec = { ...(ownObject(wanted, 'spec') ?? {}), ...keptSpec(present, true) };
  return covers(ownObject(present, 'spec') ?? {}, spec);
}

/** What administrators may change in the level `exempt`. */
function keptSpec(present: KubeObject, isMandatory: boolean): JsonObject {
  const exempt = ownObject(ownObject(present, 'spec') ?? {}, 'exempt');
  return isMandatory && exempt !== undefined ? { exempt } : {};
}

function covers(present: JsonObject, wanted: JsonObject): boolean {
  return Object.keys(wanted).every((key) => {
    const [has, wants] = [own(present, key), own(wanted, key)];
    if (isObject(has) && isObject(wants)) return covers(has, wants);
    return JSON.stringify(has) === JSON.stringify(wants);
  });
}

/** The status with the condition whether the level exists; undefined if it is up to date. */
function danglingStatus(
  schema: KubeObject,
  levels: ReadonlySet<string>,
  nowMs: number,
): JsonObject | undefined {
  const reference = ownObject(ownObject(schema, 'spec') ?? {}, 'priorityLevelConfiguration') ?? {};
  const level = ownString(reference, 'name') ?? '';
  const isDangling = !levels.has(level);
  const what = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  const wanted = {
    type: 'Dangling',
    status: isDangling ? 'True' : 'False',
    reason: isDangling ? 'NotFound' : 'Found',
    message: isDangling ? `${what} but there is no such object` : `${what} and it exists`,
  };
  const status = ownObject(schema, 'status') ?? {};
  const conditions = (ownList(status, 'conditions') ?? []).filter(isObject);
  const known = conditions.find((condition) => own(condition, 'type') === 'Dangling');
  if (known !== undefined && covers(known, wanted)) return undefined;
  const others = conditions.filter((condition) => condition !== known);
  return { ...status, conditions: [...others, { ...wanted, lastTransitionTime: formatTime(nowMs) }] };
}
