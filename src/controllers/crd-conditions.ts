import {
  apiApprovalCondition,
  type CrdCondition,
  type CrdConditionType,
  findCondition,
  hasCondition,
  nonStructuralSchemaCondition,
  removeCondition,
  setCondition,
} from '../crd/index.ts';
import { type KubeObject, metadataOf, nameOf, own } from '../meta/index.ts';
import { bodyOf, controllerContext, isConflict, isNotFound, objectTargetOf, targetOf } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { type Change, follow } from './follow.ts';
import type { RunningController } from './rest.ts';
import { WorkQueue } from './work-queue.ts';

const crdResource = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const options = { dryRun: false, fieldManager: 'ilk', fieldValidation: 'Ignore' } as const;

/** What a CRD says about itself, apart from its names. A new condition is a line here. */
const conditions: readonly (readonly [CrdConditionType, (crd: KubeObject) => CrdCondition | undefined])[] = [
  ['KubernetesAPIApprovalPolicyConformant', apiApprovalCondition],
  ['NonStructuralSchema', nonStructuralSchemaCondition],
];

/**
 * Tells in the status of a CRD whether its API was approved and whether its schemas are structural.
 * Source: apiextensions-apiserver, pkg/controller/apiapproval and pkg/controller/nonstructuralschema.
 */
export function runCrdConditions(parts: ControllerParts): RunningController {
  const { registry, signal, onTrouble } = parts;
  const queue = new WorkQueue({
    work: (name) => describe(parts, name),
    onTrouble: (error) => {
      if (!isConflict(error) && !isNotFound(error)) onTrouble(error);
    },
  });
  const onChange = ({ type, object }: Change) => {
    if (type !== 'DELETED' && described(object, parts.clock.now()) !== undefined) queue.add(nameOf(object));
  };
  const findTarget = () => targetOf(registry, crdResource);
  const following = follow({ registry, findTarget, signal, onTrouble, onChange });
  return {
    done: following.done.then(() => queue.close()),
    rest: () => (queue.idle ? following.rest() : undefined),
  };
}

async function describe({ registry, clock, signal }: ControllerParts, name: string): Promise<void> {
  const context = controllerContext('ilk', signal);
  const target = objectTargetOf(await targetOf(registry, crdResource), name, 'status');
  const crd = (await registry.get({ target, resourceVersion: '', context })).object();
  const wanted = described(crd, clock.now());
  if (wanted !== undefined) await registry.update({ target, body: bodyOf(wanted), options, context });
}

/** The CRD with its conditions as they should be, which may be the argument; undefined where they are so already. */
function described(crd: KubeObject, nowMs: number): KubeObject | undefined {
  if (own(metadataOf(crd), 'deletionTimestamp') !== undefined) return undefined;
  let changed = false;
  for (const [type, compute] of conditions) {
    const condition = compute(crd);
    const stands =
      condition === undefined ? findCondition(crd, type) === undefined : hasCondition(crd, condition);
    if (stands) continue;
    changed = true;
    if (condition === undefined) removeCondition(crd, type);
    else setCondition(crd, condition, nowMs);
  }
  return changed ? crd : undefined;
}
