import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import {
  clone,
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
import type { Claim, Reservation, StoredPeer, StoredPeers } from '../strategy/strategy.ts';
import type { AddressRange } from './address-range.ts';

const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** What services have that no other may have: addresses as they are written, node ports as `TCP 30080`. */
type Taken = Set<string>;

/** What a write under way has taken for its service. */
interface Taking {
  readonly key: string;
  taken: readonly string[];
}

/**
 * Allocates unique addresses and node ports to services. Those of stored services are read from the live view; those
 * of pending writes are kept until the view shows their result. Pending writes of other servers on the
 * same storage hold claims: an address that this server has claimed and then does not find in the latest view is free.
 */
export class ServiceReservations {
  readonly #range: AddressRange;
  /** Each server has its own services, also where a fork shares the strategy with its parent. */
  readonly #underWay = new WeakMap<object, Set<Taking>>();
  readonly #read = new WeakMap<object, readonly string[]>();

  constructor(range: AddressRange) {
    this.#range = range;
  }

  /** Fills in what the service lacks. @throws {StatusError} 422, 500 */
  async reserve(service: KubeObject, old: KubeObject | undefined, peers: StoredPeers): Promise<Reservation> {
    await peers.waitForLatest();
    const underWay = this.#underWay.get(peers.resource) ?? new Set();
    this.#underWay.set(peers.resource, underWay);
    const taking: Taking = { key: peers.keyOf(service), taken: [] };
    underWay.add(taking);
    const forget = () => underWay.delete(taking);
    try {
      const claims = await this.#takeAndClaim(service, { old, peers, underWay, taking });
      const release = () => {
        for (const claim of claims) peers.claims?.giveBack(claim);
        // Others may have read the view before the write: until the view shows it, the reservation is kept.
        void peers.waitForLatest().then(forget, forget);
      };
      return { claims, release };
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Takes free values until none of them is claimed by another write. */
  async #takeAndClaim(
    service: KubeObject,
    { old, peers, underWay, taking }: Write,
  ): Promise<readonly Claim[]> {
    const sent = own(service, 'spec');
    const had = new Set(old === undefined ? [] : heldBy(ownObject(old, 'spec') ?? {}));
    const claimedByOthers: Taken = new Set();
    for (;;) {
      if (sent !== undefined) service['spec'] = clone(sent);
      taking.taken = [];
      const taken = this.#takenByOthers(taking.key, peers);
      for (const other of underWay)
        if (other.key !== taking.key) for (const one of other.taken) taken.add(one);
      for (const one of claimedByOthers) taken.add(one);
      taking.taken = this.#take(service, taken);
      const wanted = taking.taken.filter((one) => !had.has(one));
      const claims = await claimAll(wanted, peers, claimedByOthers);
      if (claims !== undefined && !this.#isOthers(wanted, taking.key, peers)) return claims;
      for (const claim of claims ?? []) peers.claims?.giveBack(claim);
    }
  }

  #isOthers(wanted: readonly string[], key: string, peers: StoredPeers): boolean {
    if (peers.claims === undefined || wanted.length === 0) return false;
    const taken = this.#takenByOthers(key, peers);
    return wanted.some((one) => taken.has(one));
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
    const found = heldBy(ownObject(peer.object(), 'spec') ?? {});
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
    // A value that is not an address gets another error.
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

/** A write of a service that reserves unique values. */
interface Write {
  readonly old: KubeObject | undefined;
  readonly peers: StoredPeers;
  readonly underWay: ReadonlySet<Taking>;
  readonly taking: Taking;
}

/** What a service has: its addresses and its node ports. */
function heldBy(spec: JsonObject): string[] {
  const ports = portsOf(spec).flatMap((port) => nodePortOf(port) ?? []);
  return [...stringList(own(spec, 'clusterIPs')).filter((one) => one !== 'None'), ...ports];
}

/**
 * Claims all of the names, and then waits for all that was written before: who had claimed one of them has stored it or
 * given it up. Undefined where one of them is another write's; those are noted.
 */
async function claimAll(
  names: readonly string[],
  { claims, waitForLatest }: StoredPeers,
  claimedByOthers: Taken,
): Promise<readonly Claim[] | undefined> {
  if (claims === undefined || names.length === 0) return [];
  const got: Claim[] = [];
  const giveBack = () => {
    for (const claim of got) claims.giveBack(claim);
  };
  try {
    for (const name of names) {
      const claim = await claims.take(name);
      if (claim === undefined) claimedByOthers.add(name);
      else got.push(claim);
    }
    if (got.length === names.length) await waitForLatest();
  } catch (error) {
    giveBack();
    throw error;
  }
  if (got.length === names.length) return got;
  giveBack();
  return undefined;
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
