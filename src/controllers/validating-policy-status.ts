import { equal, type KubeObject, metadataOf, nameOf, own, ownObject } from '../meta/index.ts';
import { bodyOf, controllerContext, isConflict, isNotFound, objectTargetOf, servedTarget } from './client.ts';
import type { ControllerParts } from './controller-parts.ts';
import { follow } from './follow.ts';
import type { RunningController } from './idle-state.ts';
import { WorkQueue } from './work-queue.ts';

const policies = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
};
const fieldManager = 'validatingadmissionpolicy-status';

/**
 * Says in the status of each generation of a ValidatingAdmissionPolicy what is wrong with the types of its expressions.
 * Source: kubernetes, pkg/controller/validatingadmissionpolicystatus.
 */
export function runValidatingPolicyStatus(parts: ControllerParts): RunningController {
  const { registry, signal } = parts;
  const onTrouble = (error: unknown) => {
    if (!isConflict(error) && !isNotFound(error)) parts.onTrouble(error);
  };
  const queue = new WorkQueue({ work: (name) => sync(parts, name), onTrouble });
  const following = follow({
    registry,
    findTarget: () => servedTarget(registry, policies),
    signal,
    onTrouble: parts.onTrouble,
    onChange: ({ type, object }) => {
      if (type !== 'DELETED' && !isChecked(object)) queue.add(nameOf(object));
    },
  });
  return {
    done: following.done.then(() => queue.close()),
    idleState: () => (queue.idle ? following.rest() : undefined),
  };
}

function isChecked(policy: KubeObject): boolean {
  const observed = own(ownObject(policy, 'status') ?? {}, 'observedGeneration') ?? 0;
  return Number(own(metadataOf(policy), 'generation') ?? 0) <= Number(observed);
}

async function sync({ registry, signal, policyTypes }: ControllerParts, name: string): Promise<void> {
  const context = controllerContext(fieldManager, signal);
  const target = objectTargetOf(await servedTarget(registry, policies), name);
  const policy = (await registry.get({ target, resourceVersion: '', context })).object();
  if (isChecked(policy)) return;
  const expressionWarnings = await policyTypes.warnings(policy);
  const before = ownObject(policy, 'status') ?? {};
  const status = {
    ...before,
    observedGeneration: own(metadataOf(policy), 'generation') ?? 0,
    typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
  };
  if (equal(status, before)) return;
  const endpoint = { ...target, endpoint: 'status' } as const;
  const options = { dryRun: false, fieldManager, fieldValidation: 'Ignore' } as const;
  await registry.update({ target: endpoint, body: bodyOf({ ...policy, status }), options, context });
}
