import {
  checkDnsLabel,
  checkDnsSubdomain,
  dnsLabelName,
  duplicate,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownList,
  ownObject,
  ownString,
  required,
  stringList,
} from '../../meta/index.ts';
import type { Reservation, StoredPeers, Strategy } from '../strategy/strategy.ts';
import type { AddressRange } from './address-range.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { oneOf } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { serviceSpecRules, serviceStatusErrors } from './validate-service.ts';
import { addressErrors } from '../rules/validate-address.ts';
import { completeAddressing, keepGiven } from './service-addressing.ts';
import { ServiceReservations } from './service-reservations.ts';

const specOf = (service: KubeObject): JsonObject => ownObject(service, 'spec') ?? {};
const typeOf = (spec: JsonObject) => ownString(spec, 'type') ?? '';
const reachableFromOutside: ReadonlySet<string> = new Set(['NodePort', 'LoadBalancer']);

/** Source: kubernetes, pkg/apis/core/v1/defaults.go, SetDefaults_Service. */
function complete(service: KubeObject): void {
  const spec = ownObject(service, 'spec');
  if (spec === undefined) return;
  for (const port of ownList(spec, 'ports') ?? []) {
    if (isObject(port)) completePort(port);
  }
  const type = typeOf(spec);
  if (type !== 'ExternalName') spec['internalTrafficPolicy'] ??= 'Cluster';
  const isReached = type === 'ClusterIP' && (ownList(spec, 'externalIPs') ?? []).length > 0;
  if (isReached || reachableFromOutside.has(type)) spec['externalTrafficPolicy'] ??= 'Cluster';
  if (type === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] ??= true;
  completeAffinity(spec);
}

function completeAffinity(spec: JsonObject): void {
  const affinity = own(spec, 'sessionAffinity');
  if (affinity === 'None' || affinity === '') delete spec['sessionAffinityConfig'];
  if (affinity !== 'ClientIP') return;
  const client = ownObject(ownObject(spec, 'sessionAffinityConfig') ?? {}, 'clientIP') ?? {};
  if (own(client, 'timeoutSeconds') !== undefined) return;
  spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: 10_800 } };
}

function completePort(port: JsonObject): void {
  const target = own(port, 'targetPort');
  if (target !== undefined && target !== 0 && target !== '') return;
  const number = own(port, 'port');
  if (number !== undefined) port['targetPort'] = number;
}

const protocols = ['SCTP', 'TCP', 'UDP'];

function portNumberErrors(path: string, value: JsonValue | undefined): FieldError[] {
  if (typeof value === 'number' && value >= 1 && value <= 65_535) return [];
  return [invalid(path, value ?? 0, 'must be between 1 and 65535, inclusive')];
}

function portNameErrors(path: string, name: string, others: Set<string>, isNeeded: boolean): FieldError[] {
  if (name === '') return isNeeded ? [required(path)] : [];
  const wrong = checkDnsLabel(name).map((text) => invalid(path, name, text));
  if (wrong.length > 0) return wrong;
  if (others.has(name)) return [duplicate(path, name)];
  others.add(name);
  return [];
}

/** Source: kubernetes, pkg/apis/core/validation, validateServicePort. */
function portsErrors(ports: readonly JsonValue[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    if (!isObject(port)) return [];
    const path = `spec.ports[${index}]`;
    const target = own(port, 'targetPort');
    return [
      ...portNameErrors(`${path}.name`, ownString(port, 'name') ?? '', names, ports.length > 1),
      ...portNumberErrors(`${path}.port`, own(port, 'port')),
      ...oneOf(`${path}.protocol`, own(port, 'protocol'), protocols),
      ...(typeof target === 'number' ? portNumberErrors(`${path}.targetPort`, target) : []),
    ];
  });
}

function externalNameErrors(spec: JsonObject): FieldError[] {
  const name = (ownString(spec, 'externalName') ?? '').replace(/\.$/, '');
  if (name === '') return [required('spec.externalName')];
  return checkDnsSubdomain(name).map((text) => invalid('spec.externalName', name, text));
}

function clusterAddressErrors(spec: JsonObject): FieldError[] {
  const addresses = stringList(own(spec, 'clusterIPs'));
  const first = ownString(spec, 'clusterIP') ?? '';
  const differ = addresses.length > 0 && first !== addresses[0];
  return [
    ...(differ
      ? [invalid('spec.clusterIPs', own(spec, 'clusterIPs'), 'first value must match `clusterIP`')]
      : []),
    ...addresses.flatMap((address, index) =>
      address === 'None' ? [] : addressErrors(`spec.clusterIPs[${index}]`, address),
    ),
  ];
}

/** Source: kubernetes, pkg/apis/core/validation, ValidateService. */
const rules: readonly KindRule[] = [
  (service) => reachErrors(specOf(service)),
  (service) => clusterAddressErrors(specOf(service)),
  (service) => portsErrors(ownList(specOf(service), 'ports') ?? []),
  { path: 'spec.sessionAffinity', required: true, oneOf: ['ClientIP', 'None'] },
  { path: 'spec.type', required: true, oneOf: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] },
  ...serviceSpecRules,
];

/** A service has ports or an external name, unless it is headless. */
function reachErrors(spec: JsonObject): FieldError[] {
  if (typeOf(spec) === 'ExternalName') return externalNameErrors(spec);
  const hasPorts = (ownList(spec, 'ports') ?? []).length > 0;
  return hasPorts || own(spec, 'clusterIP') === 'None' ? [] : [required('spec.ports')];
}

function portsCell(service: KubeObject): string {
  const texts = (ownList(specOf(service), 'ports') ?? []).filter(isObject).map((port) => {
    const node = own(port, 'nodePort');
    return `${String(own(port, 'port'))}${node === undefined ? '' : `:${String(node)}`}/${ownString(port, 'protocol') ?? ''}`;
  });
  return texts.length === 0 ? '<none>' : texts.join(',');
}

/** What has an address keeps it, until it needs none. */
function validateChange(service: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(service), specOf(old)];
  if (typeOf(spec) === 'ExternalName' || typeOf(before) === 'ExternalName') return [];
  const [now, was] = [own(spec, 'clusterIPs'), own(before, 'clusterIPs')];
  const [first] = stringList(was);
  if (first === undefined || stringList(now)[0] === first) return [];
  return [invalid('spec.clusterIPs[0]', now ?? null, 'may not change once set')];
}

const ruled = ruledStrategy({
  returnsDeleted: true,
  nameRule: dnsLabelName,
  rules,
  validateChange,
  validateStatus: serviceStatusErrors,
  firstStatus: () => ({ loadBalancer: {} }),
});

const nothing: Reservation = Object.freeze({ claims: [], release: () => {} });

/** With addresses of a range, and node ports. */
function addressed(range: AddressRange): Strategy {
  const reservations = new ServiceReservations(range);
  return Object.freeze({
    ...ruled,
    async reserve(service: KubeObject, old: KubeObject | undefined, peers: StoredPeers) {
      if (old !== undefined) keepGiven(service, old);
      completeAddressing(service);
      const isChanged = old !== undefined && validateChange(service, old).length > 0;
      return isChanged ? nothing : reservations.reserve(service, old, peers);
    },
  } satisfies Strategy);
}

const serviceType = builtInType({
  group: '',
  version: 'v1',
  kind: 'Service',
  resource: 'services',
  namespaced: true,
  shortNames: ['svc'],
  categories: ['all'],
  status: true,
  selectableFields: [{ fieldPath: 'spec.clusterIP' }, { fieldPath: 'spec.type' }],
  complete,
  columns: [
    column('Type', '.spec.type', { description: 'The type of the service.' }),
    column('Cluster-IP', '', {
      read: (service) => ownString(specOf(service), 'clusterIP') ?? '<none>',
      description: 'The address inside the cluster.',
    }),
    column('External-IP', '', {
      read: (service) => ownString(specOf(service), 'externalName') ?? '<none>',
      description: 'The address outside the cluster.',
    }),
    column('Port(s)', '', { read: portsCell, description: 'The ports and their protocols.' }),
    ageColumn,
  ],
});

/** Services with addresses of a range; the addresses are not routed. */
export function serviceKind(range: AddressRange): BuiltInKind {
  return { strategy: addressed(range), type: serviceType };
}
