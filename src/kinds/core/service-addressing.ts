import {
  equal,
  type JsonObject,
  type KubeObject,
  own,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import { needsAddress, needsNodePorts, portsOf } from './service-reservations.ts';

/** What a service is given, and keeps. Source: kubernetes, pkg/registry/core/service/storage. */

/** A client that sends what it made once, without what the server added, means no change. */
export function keepGiven(service: KubeObject, old: KubeObject): void {
  const [spec, before] = [ownObject(service, 'spec'), ownObject(old, 'spec')];
  if (spec === undefined || before === undefined) return;
  if (isCluster(spec) && isCluster(before)) keepAddress(spec, before);
  else if (!isCluster(spec)) dropUnchanged(spec, before, ['clusterIP', 'clusterIPs', ...families]);
  if (needsNodePorts(spec) && needsNodePorts(before)) keepNodePorts(spec, before);
  else if (!needsNodePorts(spec) && needsNodePorts(before)) dropNodePorts(spec, before);
  dropPolicies(spec, before);
}

/** What a type of service has no use for goes with the type, unless it was changed as well. */
function dropPolicies(spec: JsonObject, before: JsonObject): void {
  const isReached = needsNodePorts(spec) || Array.isArray(own(spec, 'externalIPs'));
  if (!isReached) dropUnchanged(spec, before, ['externalTrafficPolicy']);
  if (!isCluster(spec)) dropUnchanged(spec, before, ['internalTrafficPolicy']);
  if (own(spec, 'type') === 'LoadBalancer' || own(before, 'type') !== 'LoadBalancer') return;
  dropUnchanged(spec, before, ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort']);
}

const families = ['ipFamilies', 'ipFamilyPolicy'] as const;
const isCluster = (spec: JsonObject) => own(spec, 'type') !== 'ExternalName';

/** Who changes one spelling of the address, as a patch does, means the other one, too. */
function spellAlike(spec: JsonObject, before: JsonObject): void {
  const same = (field: string) => equal(own(spec, field), own(before, field));
  if (same('clusterIP') || !same('clusterIPs')) return;
  const address = ownString(spec, 'clusterIP') ?? '';
  if (address === '') delete spec['clusterIPs'];
  else spec['clusterIPs'] = [address];
}

function keepAddress(spec: JsonObject, before: JsonObject): void {
  spellAlike(spec, before);
  const isSilent = (ownString(spec, 'clusterIP') ?? '') === '';
  if (isSilent && own(spec, 'clusterIPs') === undefined) copy(spec, before, ['clusterIP', 'clusterIPs']);
  for (const field of families) if (own(spec, field) === undefined) copy(spec, before, [field]);
}

function copy(spec: JsonObject, before: JsonObject, fields: readonly string[]): void {
  for (const field of fields) {
    const value = own(before, field);
    if (value !== undefined) spec[field] = value;
  }
}

function dropUnchanged(spec: JsonObject, before: JsonObject, fields: readonly string[]): void {
  for (const field of fields) if (equal(own(spec, field), own(before, field))) delete spec[field];
}

function keepNodePorts(spec: JsonObject, before: JsonObject): void {
  const given = new Map(
    portsOf(before).map((port) => [ownString(port, 'name') ?? '', own(port, 'nodePort')]),
  );
  for (const port of portsOf(spec)) {
    const number = given.get(ownString(port, 'name') ?? '');
    if ((own(port, 'nodePort') ?? 0) === 0 && number !== undefined) port['nodePort'] = number;
  }
}

function dropNodePorts(spec: JsonObject, before: JsonObject): void {
  const given = new Set(portsOf(before).map((port) => own(port, 'nodePort')));
  for (const port of portsOf(spec)) if (given.has(own(port, 'nodePort'))) delete port['nodePort'];
}

/** Fills in what the rest follows from: both spellings of the address, and its family. */
export function completeAddressing(service: KubeObject): void {
  const spec = ownObject(service, 'spec');
  if (spec === undefined || !isCluster(spec)) return;
  const address = ownString(spec, 'clusterIP') ?? '';
  const [first = ''] = stringList(own(spec, 'clusterIPs'));
  if (address !== '' && first === '') spec['clusterIPs'] = [address];
  if (address === '' && first !== '') spec['clusterIP'] = first;
  const selects = Object.keys(ownObject(spec, 'selector') ?? {}).length > 0;
  const ofBoth = !needsAddress(spec) && !selects;
  spec['ipFamilies'] ??= ofBoth ? ['IPv4', 'IPv6'] : ['IPv4'];
  spec['ipFamilyPolicy'] ??= ofBoth ? 'RequireDualStack' : 'SingleStack';
}
