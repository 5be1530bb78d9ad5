import type { GroupResource } from '../../meta/index.ts';
import { countObjects } from './count-objects.ts';
import { countClaims } from './count-claims.ts';
import { countPods } from './count-pods.ts';
import { countServices } from './count-services.ts';
import type { QuotaCounter } from './quota-counter.ts';

/** Every counter of its own; the objects of any other resource are counted by `count/...` alone. */
const ownCounters: readonly QuotaCounter[] = Object.freeze([
  countPods,
  countServices,
  countClaims,
  ...['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'].map((resource) =>
    countObjects({ group: '', resource }, resource),
  ),
]);

/** Never counted. Source: kubernetes, pkg/quota/v1/install/registry.go. */
function isIgnored({ group, resource }: GroupResource): boolean {
  if (resource === 'events') return group === '' || group === 'events.k8s.io';
  return group === 'authentication.k8s.io' || group === 'authorization.k8s.io';
}

/** What counts the objects of a resource; undefined where nothing does. */
export function counterOf(resource: GroupResource): QuotaCounter | undefined {
  if (isIgnored(resource)) return undefined;
  const known = ownCounters.find(
    (counter) => counter.resource.resource === resource.resource && counter.resource.group === resource.group,
  );
  return known ?? countObjects(resource);
}

/** What counts for a name in `hard`; undefined where nothing does. */
export function counterNamed(name: string): QuotaCounter | undefined {
  const known = ownCounters.find((counter) => counter.counts(name));
  if (known !== undefined || !name.startsWith('count/')) return known;
  const [resource = '', ...group] = name.slice('count/'.length).split('.');
  return counterOf({ group: group.join('.'), resource });
}
