import { addAmounts, type Amount, CelError, compareAmounts } from '../../cel/index.ts';
import { isObject, type JsonObject, type KubeObject, own, ownList, ownObject } from '../../meta/index.ts';
import { amountOf } from '../typed/canonical-quantity.ts';

const counted = ['cpu', 'memory'] as const;

/**
 * Guaranteed, Burstable or BestEffort, by what the containers request, or by what the pod as a whole requests. Zeros
 * count as if they were absent. Source: kubernetes, pkg/apis/core/v1/helper/qos.
 */
export function qosClass(pod: KubeObject): string {
  const spec = ownObject(pod, 'spec') ?? {};
  const ofPod = ownObject(spec, 'resources');
  const resources = ofPod === undefined ? containerResources(spec) : [ofPod];
  const [requests, limits] = [new Map<string, Amount>(), new Map<string, Amount>()];
  let isGuaranteed = true;
  for (const one of resources) {
    addTo(requests, ownObject(one, 'requests') ?? {});
    const own = ownObject(one, 'limits') ?? {};
    const isLimited = addTo(limits, own) === counted.length;
    // Only the requests of a pod without pod-level limits count.
    const isJudged = ofPod === undefined || Object.keys(own).length > 0;
    if (isJudged && !isLimited) isGuaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isSame =
    requests.size === limits.size &&
    [...requests].every(([name, amount]) => isEqual(amount, limits.get(name)));
  return isGuaranteed && isSame ? 'Guaranteed' : 'Burstable';
}

function containerResources(spec: JsonObject): JsonObject[] {
  return ['containers', 'initContainers']
    .flatMap((list) => ownList(spec, list) ?? [])
    .map((container) => (isObject(container) ? (ownObject(container, 'resources') ?? {}) : {}));
}

/** Adds the amounts above zero to the sums; returns their number. */
function addTo(sums: Map<string, Amount>, quantities: JsonObject): number {
  let found = 0;
  for (const name of counted) {
    const amount = amountOf(own(quantities, name) ?? '0');
    if (amount instanceof CelError || amount.value <= 0n) continue;
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? amount : addAmounts(sum, amount));
    found += 1;
  }
  return found;
}

function isEqual(left: Amount, right: Amount | undefined): boolean {
  return right !== undefined && compareAmounts(left, right) === 0;
}
