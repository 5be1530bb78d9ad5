import {
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import { containersOf, isPodLevelResource, podResources, resourcesOf } from '../resources/pod-resources.ts';
import { type Quantity, wholeQuantity } from '../resources/quantity.ts';
import type { ResourceList } from '../resources/resource-list.ts';
import type { QuotaCounter, ScopeRequirement } from './quota-counter.ts';
import { scopeValuesMatch } from './scope-values.ts';

/** A quota of these requires the amounts of every container. Upstream calls this a mistake, and keeps it. */
const requiredNames: readonly string[] = [
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
];
const names: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...requiredNames,
  'ephemeral-storage',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
]);

/**
 * Pods, and what they request and may use: `count/pods` are all, the rest counts those that have not ended.
 * Source: kubernetes, pkg/quota/v1/evaluator/core/pods.go.
 */
export const countPods: QuotaCounter = Object.freeze<QuotaCounter>({
  resource: { group: '', resource: 'pods' },
  counts: (name) => names.has(name) || /^(requests\.)?hugepages-/.test(name) || isExtendedRequest(name),
  handles: ({ operation, subresource }) =>
    (subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) ||
    (subresource === 'resize' && operation === 'UPDATE'),
  // Besides `resize`, one update changes what a quota counts: the deadline moves a pod into another scope.
  concerns: ({ operation, subresource, object, oldObject }) =>
    operation === 'CREATE' ||
    subresource === 'resize' ||
    isTerminating(specOf(object)) !== isTerminating(specOf(oldObject)),

  usage(pod: KubeObject) {
    const usage = new Map([['count/pods', wholeQuantity(1)]]);
    if (hasEnded(pod)) return usage;
    const options = { actual: true, isPodLevel: isPodLevelResource };
    usage.set('pods', wholeQuantity(1));
    addRequests(usage, podResources(pod, 'requests', options));
    addLimits(usage, podResources(pod, 'limits', options));
    return usage;
  },

  isInScope: (requirement: ScopeRequirement, pod: JsonObject) =>
    scopes.get(requirement.scope)?.(specOf(pod), requirement) ?? false,

  missing: missingResources,
});

function specOf(pod: JsonObject | undefined): JsonObject {
  return ownObject(pod ?? {}, 'spec') ?? {};
}

function hasEnded(pod: KubeObject): boolean {
  const phase = ownString(ownObject(pod, 'status') ?? {}, 'phase');
  return phase === 'Failed' || phase === 'Succeeded';
}

/** Resources that others have added, which Kubernetes does not know. */
function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}

const deviceClass = 'deviceclass.resource.kubernetes.io/';

/** `requests.example.com/gpu`: of what others have added, only requests are counted. */
function isExtendedRequest(name: string): boolean {
  if (!name.startsWith('requests.')) return false;
  const resource = name.slice('requests.'.length);
  return isExtended(resource) || resource.startsWith(deviceClass);
}

const computed = ['cpu', 'memory', 'ephemeral-storage'];

function addRequests(usage: Map<string, Quantity>, requests: ResourceList): void {
  for (const [name, quantity] of requests) {
    const isShort = computed.includes(name) || name.startsWith('hugepages-');
    if (isShort) usage.set(name, quantity);
    if (isShort || isExtended(name) || name.startsWith(deviceClass)) usage.set(`requests.${name}`, quantity);
  }
}

function addLimits(usage: Map<string, Quantity>, limits: ResourceList): void {
  for (const name of computed) {
    const quantity = limits.get(name);
    if (quantity !== undefined) usage.set(`limits.${name}`, quantity);
  }
}

/** The containers without amounts that a quota counts: `requests.cpu for: a,b; limits.memory for: a`. */
function missingResources(names: readonly string[], pod: KubeObject): string | undefined {
  const spec = specOf(pod);
  const forPod = (['requests', 'limits'] as const).flatMap((field) => [...resourcesOf(spec, field).keys()]);
  if (forPod.some(isPodLevelResource)) return undefined;
  const containers = [...containersOf(pod, 'containers'), ...containersOf(pod, 'initContainers')];
  const missing = names
    .filter((name) => requiredNames.includes(name))
    .sort()
    .map((name) => ({ name, by: containers.filter((container) => !says(container, name)) }))
    .filter(({ by }) => by.length > 0);
  if (missing.length === 0) return undefined;
  const texts = missing.map(({ name, by }) => {
    const who = [...new Set(by.map((container) => ownString(container, 'name') ?? ''))].sort();
    return `${name} for: ${who.join(',')}`;
  });
  return `must specify ${texts.join('; ')}`;
}

function says(container: JsonObject, name: string): boolean {
  const field = name.startsWith('limits.') ? 'limits' : 'requests';
  return resourcesOf(container, field).has(name.replace(/^(requests|limits)\./, ''));
}

type IsInScope = (spec: JsonObject, requirement: ScopeRequirement) => boolean;

const scopes: ReadonlyMap<string, IsInScope> = new Map<string, IsInScope>([
  ['Terminating', isTerminating],
  ['NotTerminating', (spec) => !isTerminating(spec)],
  ['BestEffort', isBestEffort],
  ['NotBestEffort', (spec) => !isBestEffort(spec)],
  ['PriorityClass', (spec, requirement) => scopeValuesMatch(requirement, priorityClasses(spec))],
  ['CrossNamespacePodAffinity', crossesNamespaces],
]);

function priorityClasses(spec: JsonObject): string[] {
  const name = ownString(spec, 'priorityClassName') ?? '';
  return name === '' ? [] : [name];
}

function isTerminating(spec: JsonObject): boolean {
  const seconds = own(spec, 'activeDeadlineSeconds');
  return seconds !== undefined && seconds !== null && Number(seconds) >= 0;
}

/** A pod without CPU and memory requests or limits, in containers and at pod level. */
function isBestEffort(spec: JsonObject): boolean {
  const containers = ['containers', 'initContainers'].flatMap((field) => objectsIn(spec, field));
  return [spec, ...containers].every((one) => !hasResources(ownObject(one, 'resources') ?? {}));
}

function hasResources(resources: JsonObject): boolean {
  return ['requests', 'limits'].some((field) => {
    const amounts = ownObject(resources, field) ?? {};
    return ['cpu', 'memory'].some((name) => !['', '0'].includes(String(own(amounts, name) ?? '')));
  });
}

/** Source: usesCrossNamespacePodAffinity. */
function crossesNamespaces(spec: JsonObject): boolean {
  const affinity = ownObject(spec, 'affinity') ?? {};
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const terms = ownObject(affinity, kind) ?? {};
    const required = objectsIn(terms, 'requiredDuringSchedulingIgnoredDuringExecution');
    const preferred = objectsIn(terms, 'preferredDuringSchedulingIgnoredDuringExecution');
    return [...required, ...preferred.map((term) => ownObject(term, 'podAffinityTerm') ?? {})].some(
      (term) =>
        (ownList(term, 'namespaces') ?? []).length > 0 || ownObject(term, 'namespaceSelector') !== undefined,
    );
  });
}

function objectsIn(owner: JsonObject, field: string): JsonObject[] {
  return (ownList(owner, field) ?? []).filter(isObject);
}
