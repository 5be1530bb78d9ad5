import {
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { plus, type Quantity } from './quantity.ts';
import { largerOf, only, type ResourceList, resourceListOf, sumOf } from './resource-list.ts';

type Field = 'requests' | 'limits';

/** Inputs besides the specs of containers. */
interface PodResourcesOptions {
  /** The status of containers, with allocated resources, and the overhead of the pod. */
  readonly actual: boolean;
  /** The resources that may be given for the whole pod. */
  readonly isPodLevel: (name: string) => boolean;
}

/** `cpu`, `memory` and large pages may be given for a whole pod. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

export function resourcesOf(owner: JsonObject | undefined, field: Field): ResourceList {
  return resourceListOf(ownObject(ownObject(owner ?? {}, 'resources') ?? {}, field));
}

/** The containers, or the init containers, of a pod. */
export function containersOf(pod: KubeObject, field: 'containers' | 'initContainers'): JsonObject[] {
  return (ownList(specOf(pod), field) ?? []).filter(isObject);
}

function specOf(pod: KubeObject): JsonObject {
  return ownObject(pod, 'spec') ?? {};
}

function statusOf(pod: KubeObject): JsonObject {
  return ownObject(pod, 'status') ?? {};
}

/**
 * What a pod requests, or may use at most: the sum of its containers, or what its init containers need if that is more.
 * Source: component-helpers, resource/helpers.go, PodRequests and PodLimits.
 */
export function podResources(
  pod: KubeObject,
  field: Field,
  { actual, isPodLevel }: PodResourcesOptions,
): ResourceList {
  const ofContainers = actual ? ofStatus(pod, field) : total(pod, (one) => resourcesOf(one, field));
  const ofPod = only(resourcesOf(specOf(pod), field), isPodLevel);
  const list = new Map([...ofContainers, ...ofPod]);
  if (actual) addOverhead(list, pod, field);
  return list;
}

function addOverhead(list: Map<string, Quantity>, pod: KubeObject, field: Field): void {
  for (const [name, quantity] of resourceListOf(ownObject(specOf(pod), 'overhead'))) {
    const known = list.get(name);
    if (known !== undefined && (field === 'requests' || known.amount.value !== 0n)) {
      list.set(name, plus(known, quantity));
    } else if (field === 'requests') list.set(name, quantity);
  }
}

function total(pod: KubeObject, resources: (container: JsonObject) => ResourceList): ResourceList {
  let sum: ResourceList = new Map();
  for (const container of containersOf(pod, 'containers')) sum = sumOf(sum, resources(container));
  let sidecars: ResourceList = new Map();
  let startup: ResourceList = new Map();
  for (const container of containersOf(pod, 'initContainers')) {
    const own = resources(container);
    if (ownString(container, 'restartPolicy') === 'Always') {
      sum = sumOf(sum, own);
      sidecars = sumOf(sidecars, own);
      startup = largerOf(startup, sidecars);
    } else startup = largerOf(startup, sumOf(own, sidecars));
  }
  return largerOf(sum, startup);
}

/** The maximum of requested and allocated resources; only the allocated ones if a resize is infeasible. */
function ofStatus(pod: KubeObject, field: Field): ResourceList {
  const statuses = new Map(
    ['initContainerStatuses', 'containerStatuses']
      .flatMap((list) => (ownList(statusOf(pod), list) ?? []).filter(isObject))
      .map((status) => [ownString(status, 'name') ?? '', status]),
  );
  const spec = total(pod, (container) => resourcesOf(container, field));
  if (statuses.size === 0) return spec;
  const isInfeasible = isResizeInfeasible(pod);
  const fallback = (container: JsonObject): ResourceList =>
    isInfeasible ? new Map() : resourcesOf(container, field);
  const given = (container: JsonObject, isActuated: boolean): ResourceList => {
    const status = statuses.get(ownString(container, 'name') ?? '') ?? {};
    const actuated = ownObject(ownObject(status, 'resources') ?? {}, field);
    if (isActuated && actuated !== undefined) return resourceListOf(actuated);
    const allocated = field === 'requests' ? ownObject(status, 'allocatedResources') : undefined;
    return allocated === undefined ? fallback(container) : resourceListOf(allocated);
  };
  const actuated = total(pod, (container) => given(container, true));
  const allocated = field === 'requests' ? total(pod, (container) => given(container, false)) : actuated;
  const held = largerOf(actuated, allocated);
  return isInfeasible ? held : largerOf(spec, held);
}

function isResizeInfeasible(pod: KubeObject): boolean {
  const pending = (ownList(statusOf(pod), 'conditions') ?? [])
    .filter(isObject)
    .find((condition) => own(condition, 'type') === 'PodResizePending');
  return pending !== undefined && own(pending, 'reason') === 'Infeasible';
}
