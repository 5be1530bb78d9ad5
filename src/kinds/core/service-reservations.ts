import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type FieldError,
  internalError,
  invalid,
  invalidError,
  isObject,
  type JsonObject,
  type KubeObject,
  nameOf,
  namespaceOf,
  own,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import type { StoredPeer, StoredPeers } from '../strategy/strategy.ts';
import type { AddressRange } from './address-range.ts';

const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** What services have that no other may have: addresses as they are written, node ports as `TCP 30080`. */
type Taken = Set<string>;

/** What a write under way has taken for its service. */
interface Reservation {
  readonly key: string;
  readonly taken: readonly string[];
}

/**
 * Gives addresses and node ports to services, each to one. Those of stored services are read off the live view; those
 * of writes under way are remembered until the view shows what came of them. Several
 * servers on one etcd do not see each other's writes under way: where to look first hangs on the name, so that only
 * services whose names lead to the same place could meet.
 */
export class ServiceReservations {
  readonly #range: AddressRange;
  /** Each server has its own services, also where a fork shares the strategy with its parent. */
  readonly #underWay = new WeakMap<object, Set<Reservation>>();
  readonly #read = new WeakMap<object, readonly string[]>();

  constructor(range: AddressRange) {
    this.#range = range;
  }

  /** Fills in what the service lacks; gives back what ends the reservation. @throws {StatusError} 422, 500 */
  async reserve(service: KubeObject, peers: StoredPeers): Promise<() => void> {
    await peers.waitForLatest();
    const key = peers.keyOf(service);
    const underWay = this.#underWay.get(peers.resource) ?? new Set();
    this.#underWay.set(peers.resource, underWay);
    const taken = this.#takenByOthers(key, peers);
    for (const other of underWay) if (other.key !== key) for (const one of other.taken) taken.add(one);
    const reservation = { key, taken: this.#take(service, taken) };
    underWay.add(reservation);
    const release = () => underWay.delete(reservation);
    // Others may have looked at the view before the write: until it shows there, it has to be told in the other way.
    return () => void peers.waitForLatest().then(release, release);
  }

  #takenByOthers(key: string, peers: StoredPeers): Taken {
    const taken: Taken = new Set();
    for (const peer of peers.all()) {
      if (peer.key !== key) for (const one of this.#takenBy(peer)) taken.add(one);
    }
    return taken;
  }

  #takenBy(peer: StoredPeer): readonly string[] {
    const known = this.#read.get(peer.identity);
    if (known !== undefined) return known;
    const spec = ownObject(peer.object(), 'spec') ?? {};
    const ports = portsOf(spec).flatMap((port) => nodePortOf(port) ?? []);
    const found = [...stringList(own(spec, 'clusterIPs')).filter((one) => one !== 'None'), ...ports];
    this.#read.set(peer.identity, found);
    return found;
  }

  #take(service: KubeObject, taken: Taken): string[] {
    const spec = ownObject(service, 'spec');
    if (spec === undefined) return [];
    const start = createHash('sha256')
      .update(`${namespaceOf(service)}/${nameOf(service)}`)
      .digest()
      .readUInt32BE();
    const address = needsAddress(spec) ? this.#takeAddress(service, spec, { taken, start }) : [];
    return [...address, ...(needsNodePorts(spec) ? takeNodePorts(service, spec, { taken, start }) : [])];
  }

  #takeAddress(service: KubeObject, spec: JsonObject, { taken, start }: Choice): string[] {
    const asked = ownString(spec, 'clusterIP') ?? '';
    if (asked === '') {
      for (const address of this.#range.from(start)) {
        if (taken.has(address)) continue;
        Object.assign(spec, { clusterIP: address, clusterIPs: [address] });
        return [address];
      }
      throw internalError('failed to allocate a serviceIP: range is full');
    }
    const refuse = (why: string) => {
      const value = own(spec, 'clusterIPs') ?? null;
      throw refusal(service, invalid('spec.clusterIPs', value, `failed to allocate IP ${asked}: ${why}`));
    };
    // What is no address at all is told in another way.
    if (isIP(asked) === 0) return [];
    if (taken.has(asked)) refuse('provided IP is already allocated');
    if (!this.#range.has(asked)) {
      refuse(
        `the provided IP (${asked}) is not in the valid range. The range of valid IPs is ${this.#range.text}`,
      );
    }
    return [asked];
  }
}

interface Choice {
  readonly taken: Taken;
  /** Where to look first. */
  readonly start: number;
}

export const portsOf = (spec: JsonObject) => (ownList(spec, 'ports') ?? []).filter(isObject);

/** Those without an address are known by another name, or by those of their pods. */
export function needsAddress(spec: JsonObject): boolean {
  return own(spec, 'type') !== 'ExternalName' && own(spec, 'clusterIP') !== 'None';
}

/** Whether each node listens for it. */
export function needsNodePorts(spec: JsonObject): boolean {
  const type = own(spec, 'type');
  if (type === 'NodePort') return true;
  return type === 'LoadBalancer' && own(spec, 'allocateLoadBalancerNodePorts') !== false;
}

function nodePortOf(port: JsonObject): string | undefined {
  const number = own(port, 'nodePort') ?? 0;
  return number === 0 ? undefined : `${ownString(port, 'protocol') ?? 'TCP'} ${String(number)}`;
}

function takeNodePorts(service: KubeObject, spec: JsonObject, { taken, start }: Choice): string[] {
  const mine: string[] = [];
  for (const [index, port] of portsOf(spec).entries()) {
    const asked = nodePortOf(port);
    if (asked !== undefined) refuseNodePort(service, { port, index, isTaken: taken.has(asked) });
    const found = asked ?? freeNodePort(port, { taken, start });
    taken.add(found);
    mine.push(found);
  }
  return mine;
}

function freeNodePort(port: JsonObject, { taken, start }: Choice): string {
  const count = lastNodePort - firstNodePort + 1;
  for (let step = 0; step < count; step += 1) {
    const found = nodePortOf({ ...port, nodePort: firstNodePort + ((start + step) % count) });
    if (found === undefined || taken.has(found)) continue;
    port['nodePort'] = firstNodePort + ((start + step) % count);
    return found;
  }
  throw internalError('failed to allocate a nodePort: range is full');
}

function refuseNodePort(
  service: KubeObject,
  { port, index, isTaken }: { port: JsonObject; index: number; isTaken: boolean },
): void {
  const number = own(port, 'nodePort');
  const inRange = typeof number === 'number' && number >= firstNodePort && number <= lastNodePort;
  if (inRange && !isTaken) return;
  const range = `${firstNodePort}-${lastNodePort}`;
  const why = inRange
    ? 'provided port is already allocated'
    : `provided port is not in the valid range. The range of valid ports is ${range}`;
  throw refusal(service, invalid(`spec.ports[${index}].nodePort`, number, why));
}

function refusal(service: KubeObject, error: FieldError) {
  return invalidError({ group: '', kind: 'Service' }, nameOf(service), [error]);
}
