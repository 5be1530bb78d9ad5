import {
  isObject,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import type { QuotaCounter, ScopeRequirement } from './quota-counter.ts';

/**
 * Pods: `count/pods` are all, `pods` those that have not ended. What they request is not counted.
 * Source: kubernetes, pkg/quota/v1/evaluator/core/pods.go.
 */
export const countPods: QuotaCounter = Object.freeze<QuotaCounter>({
  resource: { group: '', resource: 'pods' },
  names: ['count/pods', 'pods'],
  operations: ['CREATE'],

  usage: (pod: KubeObject) =>
    new Map([
      ['count/pods', 1],
      ['pods', hasEnded(pod) ? 0 : 1],
    ]),

  isInScope: (requirement: ScopeRequirement, pod: JsonObject) =>
    scopes.get(requirement.scope)?.(ownObject(pod, 'spec') ?? {}, requirement) ?? false,
});

function hasEnded(pod: KubeObject): boolean {
  const phase = ownString(ownObject(pod, 'status') ?? {}, 'phase');
  return phase === 'Failed' || phase === 'Succeeded';
}

type IsInScope = (spec: JsonObject, requirement: ScopeRequirement) => boolean;

const scopes: ReadonlyMap<string, IsInScope> = new Map<string, IsInScope>([
  ['Terminating', isTerminating],
  ['NotTerminating', (spec) => !isTerminating(spec)],
  ['BestEffort', isBestEffort],
  ['NotBestEffort', (spec) => !isBestEffort(spec)],
  ['PriorityClass', isOfPriority],
  ['CrossNamespacePodAffinity', crossesNamespaces],
]);

function isTerminating(spec: JsonObject): boolean {
  const seconds = own(spec, 'activeDeadlineSeconds');
  return seconds !== undefined && seconds !== null && Number(seconds) >= 0;
}

/** A pod none of whose containers says what processors and memory it needs, nor the pod itself. */
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

function isOfPriority(spec: JsonObject, { operator, values }: ScopeRequirement): boolean {
  const name = ownString(spec, 'priorityClassName') ?? '';
  switch (operator) {
    case 'In':
      return values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
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
