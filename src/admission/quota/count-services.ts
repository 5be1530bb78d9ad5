import { isObject, type KubeObject, own, ownList, ownObject, ownString } from '../../meta/index.ts';
import { wholeQuantity } from '../resources/quantity.ts';
import type { QuotaCounter } from './quota-counter.ts';

const names = ['count/services', 'services', 'services.loadbalancers', 'services.nodeports'];

/** Services, the load balancers among them, and the ports of nodes that they take. */
export const countServices: QuotaCounter = Object.freeze<QuotaCounter>({
  resource: { group: '', resource: 'services' },
  counts: (name) => names.includes(name),
  // An update may change the type.
  handles: ({ operation, subresource }) =>
    subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),

  usage(service: KubeObject) {
    const isBalanced = typeOf(service) === 'LoadBalancer';
    const counts = [1, 1, isBalanced ? 1 : 0, nodePorts(service)];
    return new Map(names.map((name, index) => [name, wholeQuantity(counts[index] ?? 0)]));
  },
});

function typeOf(service: KubeObject): string {
  return ownString(ownObject(service, 'spec') ?? {}, 'type') ?? '';
}

/** Before node ports are allocated, each port of such a service counts as one. */
function nodePorts(service: KubeObject): number {
  const spec = ownObject(service, 'spec') ?? {};
  const ports = (ownList(spec, 'ports') ?? []).filter(isObject);
  const type = typeOf(service);
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  if (type === 'NodePort' || own(spec, 'allocateLoadBalancerNodePorts') !== false) return ports.length;
  return ports.filter((port) => (own(port, 'nodePort') ?? 0) !== 0).length;
}
