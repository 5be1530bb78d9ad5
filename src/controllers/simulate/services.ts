import {
  equal,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  nameOf,
  namespaceOf,
  own,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import type { ClusterView } from './cluster-view.ts';
import { isHeld } from './course.ts';
import {
  controllerReference,
  hashName,
  isDeleted,
  keyOf,
  labelsOf,
  objectsIn,
  specOf,
  statusOf,
  uidOf,
} from './fields.ts';
import { isPodReady, isTerminal } from './pods.ts';
import type { Cluster, Reconciler } from './reconciler.ts';
import { endpointSlices, pods, services } from './resources.ts';

/** The EndpointSlice of each Service with a selector, and an address for each load balancer. */
export const serviceReconciler: Reconciler = {
  resource: services,
  owns: [endpointSlices],
  wakes: new Map([
    [
      pods,
      (pod: KubeObject, view: ClusterView) =>
        view
          .all(services, namespaceOf(pod))
          .filter((one) => selectorOf(one) !== undefined)
          .map(keyOf),
    ],
  ]),
  async sync(service, cluster) {
    if (isDeleted(service)) return;
    await tellAddress(service, cluster);
    if (selectorOf(service) !== undefined) await writeSlice(service, cluster);
  },
};

function selectorOf(service: KubeObject): JsonObject | undefined {
  const selector = ownObject(specOf(service), 'selector');
  return selector === undefined || Object.keys(selector).length === 0 ? undefined : selector;
}

/** Addresses of RFC 5737, which are reserved for documentation. */
async function tellAddress(service: KubeObject, cluster: Cluster): Promise<void> {
  if (own(specOf(service), 'type') !== 'LoadBalancer' || isHeld(service)) return;
  const present = ownObject(statusOf(service), 'loadBalancer') ?? {};
  if (objectsIn(present, 'ingress').length > 0) return;
  const asked = ownString(specOf(service), 'loadBalancerIP');
  const ip = asked !== undefined && asked !== '' ? asked : freeAddress(cluster.view);
  const loadBalancer = { ingress: [{ ip, ipMode: 'VIP' }] };
  await cluster.write.setStatus(services, service, { ...statusOf(service), loadBalancer });
}

function freeAddress(view: ClusterView): string {
  const addresses = view.all(services).flatMap((one) => {
    const [first] = objectsIn(ownObject(statusOf(one), 'loadBalancer') ?? {}, 'ingress');
    return first === undefined ? [] : [ownString(first, 'ip')];
  });
  const taken = new Set(addresses);
  for (let number = 1; ; number += 1) {
    const address = number < 255 ? `192.0.2.${number}` : `198.18.${number >> 8}.${number & 255}`;
    if (!taken.has(address)) return address;
  }
}

async function writeSlice(service: KubeObject, { view, write }: Cluster): Promise<void> {
  const name = `${nameOf(service)}-${hashName(uidOf(service))}`;
  const selected = view
    .all(pods, namespaceOf(service))
    .filter((pod) => isSelected(pod, selectorOf(service) ?? {}));
  const content = {
    addressType: 'IPv4',
    endpoints: selected.map(endpointOf),
    ports: portsOf(service, selected),
  };
  const present = view.get(endpointSlices, `${namespaceOf(service)}/${name}`);
  if (present !== undefined) {
    const isSame =
      equal(own(present, 'endpoints'), content.endpoints) && equal(own(present, 'ports'), content.ports);
    if (!isSame) await write.update(endpointSlices, { ...present, ...content });
    return;
  }
  const labels = {
    ...ownObject(metadataOf(service), 'labels'),
    'kubernetes.io/service-name': nameOf(service),
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  };
  const ownerReferences = [controllerReference(service, services)];
  const metadata = { name, namespace: namespaceOf(service), labels, ownerReferences };
  await write.create(endpointSlices, { metadata, ...content });
}

function isSelected(pod: KubeObject, selector: JsonObject): boolean {
  const hasAddress = (ownString(statusOf(pod), 'podIP') ?? '') !== '';
  const labels = labelsOf(pod);
  return (
    hasAddress &&
    !isTerminal(pod) &&
    Object.entries(selector).every(([key, value]) => own(labels, key) === value)
  );
}

function endpointOf(pod: KubeObject): JsonObject {
  const ready = isPodReady(pod);
  return {
    addresses: [ownString(statusOf(pod), 'podIP') ?? ''],
    conditions: { ready, serving: ready, terminating: isDeleted(pod) },
    targetRef: { kind: pods.kind, namespace: namespaceOf(pod), name: nameOf(pod), uid: uidOf(pod) },
    nodeName: ownString(specOf(pod), 'nodeName') ?? '',
  };
}

/** A port by name is the one that the first pod gives it. */
function portsOf(service: KubeObject, selected: readonly KubeObject[]): JsonObject[] {
  return objectsIn(specOf(service), 'ports').flatMap((port) => {
    const target = own(port, 'targetPort') ?? own(port, 'port');
    const number = typeof target === 'number' ? target : namedPort(target, selected[0]);
    const [name, protocol] = [ownString(port, 'name') ?? '', ownString(port, 'protocol') ?? 'TCP'];
    return number === undefined ? [] : [{ name, protocol, port: number }];
  });
}

function namedPort(name: JsonValue | undefined, pod: KubeObject | undefined): number | undefined {
  const containers = pod === undefined ? [] : objectsIn(specOf(pod), 'containers');
  const found = containers.flatMap((one) => objectsIn(one, 'ports')).find((one) => own(one, 'name') === name);
  const port = isObject(found) ? own(found, 'containerPort') : undefined;
  return typeof port === 'number' ? port : undefined;
}
