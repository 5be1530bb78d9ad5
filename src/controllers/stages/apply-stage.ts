import { encodeJson } from '../../codec/index.ts';
import {
  formatTime,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  namespaceOf,
  own,
  stringList,
} from '../../meta/index.ts';
import type { Registry, Target } from '../../registry/index.ts';
import { deleteOptions } from '../clear-collection.ts';
import {
  bodyOf,
  controllerContext,
  isAlreadyExists,
  isNotFound,
  objectTargetOf,
  servedTarget,
} from '../client.ts';
import type { Stage, StageEvent } from './stage.ts';
import { patchAt } from './stage-template.ts';

const fieldManager = 'ilk-simulate';
const writeOptions = { dryRun: false, fieldManager, fieldValidation: 'Ignore' } as const;
const events = { group: '', version: 'v1', resource: 'events' };

/** What the application of a stage needs. */
export interface StageWrite {
  readonly registry: Registry;
  readonly signal: AbortSignal;
  /** The collection of the object. */
  readonly target: Target;
  readonly object: KubeObject;
  readonly stage: Stage;
  readonly nowMs: number;
}

/** Does what a stage says: event, finalizers, delete, patches. Returns the object as it is then; undefined if it is gone. */
export async function applyStage(write: StageWrite): Promise<KubeObject | undefined> {
  const { next } = write.stage;
  try {
    if (next.event !== undefined) await recordEvent(write, next.event);
    let object = await changeFinalizers(write);
    if (next.delete) return await remove(write);
    for (const patch of next.patches) {
      const endpoint = patch.subresource === 'status' && hasStatus(write.target) ? 'status' : '';
      object = await merge(write, patchAt(patch, formatTime(write.nowMs)), endpoint);
    }
    return object;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const hasStatus = ({ version }: Target): boolean => version.subresources.status;

async function changeFinalizers(write: StageWrite): Promise<KubeObject> {
  const { add, remove: gone, empty } = write.stage.next.finalizers;
  const before = stringList(own(metadataOf(write.object), 'finalizers'));
  const kept = empty ? [] : before.filter((one) => !gone.includes(one));
  const after = [...new Set([...kept, ...add])];
  if (after.length === before.length && after.every((one, index) => one === before[index]))
    return write.object;
  return merge(write, { metadata: { finalizers: after } }, '');
}

/** Only this very object, not another one of its name. */
async function merge(write: StageWrite, patch: JsonObject, endpoint: '' | 'status'): Promise<KubeObject> {
  const { registry, target, object, signal } = write;
  const uid = metadataString(object, 'uid') ?? '';
  const metadata: JsonValue = { ...metadataOf(patch), uid };
  const { responseObject } = await registry.patch({
    target: objectTargetOf(target, nameOf(object), endpoint),
    type: 'merge',
    bytes: encodeJson({ ...patch, metadata }),
    options: { ...writeOptions, force: false },
    context: controllerContext(fieldManager, signal),
  });
  return responseObject.object();
}

async function remove({ registry, target, object, signal }: StageWrite): Promise<undefined> {
  const uid = metadataString(object, 'uid') ?? '';
  await registry.delete({
    target: objectTargetOf(target, nameOf(object)),
    options: deleteOptions({ gracePeriodSeconds: 0, preconditions: { uid } }),
    context: controllerContext(fieldManager, signal),
  });
}

async function recordEvent(write: StageWrite, { type, reason, message }: StageEvent): Promise<void> {
  const { registry, signal, object, stage, nowMs } = write;
  const namespace = namespaceOf(object) || 'default';
  const time = formatTime(nowMs);
  const uid = metadataString(object, 'uid') ?? '';
  const version = metadataString(object, 'resourceVersion') ?? '';
  const involvedObject = {
    apiVersion: own(object, 'apiVersion') ?? '',
    kind: stage.kind,
    namespace: namespaceOf(object),
    name: nameOf(object),
    uid,
    resourceVersion: version,
  };
  const event: KubeObject = {
    apiVersion: 'v1',
    kind: 'Event',
    // The state of the object is in the name: a second attempt makes no second event.
    metadata: { name: `${nameOf(object)}.${nowMs.toString(16)}${Number(version).toString(16)}`, namespace },
    involvedObject,
    type,
    reason,
    message,
    source: { component: fieldManager },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  const target = await servedTarget(registry, events, namespace);
  const context = controllerContext(fieldManager, signal);
  try {
    await registry.create({ target, body: bodyOf(event), options: writeOptions, context });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
