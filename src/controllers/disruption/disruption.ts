import { formatTime, type KubeObject, namespaceOf } from '../../meta/index.ts';
import { type RequestContext, selectsPod } from '../../registry/index.ts';
import { servedTarget } from '../client.ts';
import type { ControllerParts } from '../controller-parts.ts';
import type { RunningController } from '../idle-state.ts';
import { type ComputedStatus, runStatusController } from '../status-controller.ts';
import {
  budgetStatus,
  expectationOf,
  failedStatus,
  isUpToDate,
  needsScale,
  nextRecheckMs,
} from './budget-status.ts';
import { ExpectedScale, ScaleProblem } from './expected-scale.ts';

const podResource = { group: '', version: 'v1', resource: 'pods' };

/**
 * Computes the status of PodDisruptionBudgets from their pods and the expected scale of the pods' controllers, when a
 * budget, a pod of its namespace or such a controller changes. Evictions depend on this status.
 * Source: kubernetes, pkg/controller/disruption.
 */
export function runDisruption(parts: ControllerParts): RunningController {
  return runStatusController(parts, {
    resource: { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' },
    restMsMin: 5,
    needsComputation: () => true,
    compute: (budget, context) => computeStatus(parts, budget, context),
    isUpToDate,
  });
}

async function computeStatus(
  { registry, clock }: ControllerParts,
  budget: KubeObject,
  context: RequestContext,
): Promise<ComputedStatus> {
  const namespace = namespaceOf(budget);
  const target = await servedTarget(registry, podResource, namespace);
  const { objects, revision } = await registry.listStored(target, context);
  const pods = objects.filter((pod) => selectsPod(budget, pod));
  const expected = new ExpectedScale({ registry, namespace, context });
  const nowMs = clock.now();
  const now = formatTime(nowMs);
  const situation = async () => {
    const scale = needsScale(budget) ? await expected.of(pods) : 0;
    return { pods, expectation: expectationOf(budget, { scale, pods: pods.length }), nowMs, now };
  };
  const status = await situation().then(
    (known) => budgetStatus(budget, known),
    (error: unknown) => {
      if (!(error instanceof ScaleProblem)) throw error;
      return failedStatus(budget, error.message, now);
    },
  );
  const collections = [{ target, revision }, ...expected.collections];
  // An evicted pod that is not deleted counts as healthy again after a while.
  return { status, collections, recheckMs: nextRecheckMs(status) };
}
