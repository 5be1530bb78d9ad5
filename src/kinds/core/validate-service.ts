import {
  checkLabelKey,
  type FieldError,
  forbidden,
  invalid,
  isObject,
  type JsonObject,
  own,
  ownList,
  ownObject,
  ownString,
  stringList,
} from '../../meta/index.ts';
import { eachIn, invalidAs, numberAt, supported, textAt } from '../rules/field-checks.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { specOf } from '../rules/workload.ts';
import { labelsErrors } from '../rules/validate-label-selector.ts';
import { portNameTexts } from '../rules/port-name.ts';
import { addressErrors, cidrErrors, endpointAddressErrors } from '../rules/validate-address.ts';

/** What services are held to besides their addresses and ports. Source: kubernetes, ValidateService. */
export const serviceSpecRules: readonly KindRule[] = [
  (service) => typeErrors(specOf(service)),
  (service) => labelsErrors('spec.selector', ownObject(specOf(service), 'selector')),
  (service) => affinityErrors(specOf(service)),
  (service) => portDetailErrors(specOf(service)),
  (service) => externalAddressErrors(specOf(service)),
  (service) => externalTrafficErrors(specOf(service)),
  (service) => healthPortErrors(specOf(service)),
  { path: 'spec.internalTrafficPolicy', oneOf: ['Cluster', 'Local'] },
  { path: 'spec.trafficDistribution', oneOf: ['PreferClose', 'PreferSameZone', 'PreferSameNode'] },
  (service) => balancerErrors(specOf(service)),
  (service) => familyErrors(specOf(service)),
  { path: 'spec.ipFamilyPolicy', oneOf: ['PreferDualStack', 'RequireDualStack', 'SingleStack'] },
];

const hasType = (spec: JsonObject, ...types: readonly string[]) => types.includes(textAt(spec, 'type'));
const isHeadless = (spec: JsonObject) => stringList(own(spec, 'clusterIPs'))[0] === 'None';

function typeErrors(spec: JsonObject): FieldError[] {
  const type = textAt(spec, 'type');
  const isBound = hasType(spec, 'NodePort', 'LoadBalancer') && isHeadless(spec);
  const hasAddress = type === 'ExternalName' && stringList(own(spec, 'clusterIPs')).length > 0;
  return [
    ...(isBound
      ? [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
      : []),
    ...(hasAddress ? [forbidden('spec.clusterIPs', 'may not be set for ExternalName services')] : []),
  ];
}

function affinityErrors(spec: JsonObject): FieldError[] {
  const config = ownObject(spec, 'sessionAffinityConfig');
  if (config === undefined || own(spec, 'sessionAffinity') !== 'ClientIP') {
    const why = 'must not be set when session affinity is None';
    const isNone = own(spec, 'sessionAffinity') === 'None';
    return config !== undefined && isNone ? [forbidden('spec.sessionAffinityConfig', why)] : [];
  }
  const seconds = numberAt(ownObject(config, 'clientIP') ?? {}, 'timeoutSeconds') ?? 0;
  if (seconds > 0 && seconds <= 86_400) return [];
  const path = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  return [invalid(path, seconds, 'must be greater than 0 and less than 86400')];
}

function portDetailErrors(spec: JsonObject): FieldError[] {
  const pairs = new Set<string>();
  return eachIn('spec', spec, 'ports', (port, path) => {
    const target = own(port, 'targetPort');
    const protocol = ownString(port, 'appProtocol');
    const pair = `${textAt(port, 'protocol')}/${numberAt(port, 'port') ?? 0}`;
    const isTwin = pairs.has(pair);
    pairs.add(pair);
    const isInside = hasType(spec, 'ClusterIP') && (numberAt(port, 'nodePort') ?? 0) !== 0;
    return [
      ...(typeof target === 'string'
        ? portNameTexts(target).map((text) => invalid(`${path}.targetPort`, target, text))
        : []),
      ...(protocol === undefined ? [] : invalidAs(`${path}.appProtocol`, protocol, checkLabelKey)),
      ...(isInside ? [forbidden(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'")] : []),
      ...(isTwin ? [twin(path, port)] : []),
    ];
  });
}

/** As upstream's own struct prints, which has no JSON names. */
function twin(path: string, port: JsonObject): FieldError {
  const shown = {
    Name: '',
    Protocol: textAt(port, 'protocol'),
    AppProtocol: null,
    Port: numberAt(port, 'port') ?? 0,
    TargetPort: 0,
    NodePort: 0,
  };
  const valueText = JSON.stringify(shown);
  return { type: 'FieldValueDuplicate', field: path, value: {}, valueText, detail: '' };
}

function externalAddressErrors(spec: JsonObject): FieldError[] {
  return stringList(own(spec, 'externalIPs')).flatMap((address, index) => {
    const path = `spec.externalIPs[${index}]`;
    const errors = addressErrors(path, address);
    return errors.length > 0 ? errors : endpointAddressErrors(path, address);
  });
}

function externalTrafficErrors(spec: JsonObject): FieldError[] {
  const external = own(spec, 'externalTrafficPolicy');
  const isOutside =
    hasType(spec, 'NodePort', 'LoadBalancer') ||
    (hasType(spec, 'ClusterIP') && (ownList(spec, 'externalIPs') ?? []).length > 0);
  const inside = 'may only be set for externally-accessible services';
  return external !== undefined && !isOutside
    ? [invalid('spec.externalTrafficPolicy', external, inside)]
    : supported('spec.externalTrafficPolicy', external, ['Cluster', 'Local']);
}

function healthPortErrors(spec: JsonObject): FieldError[] {
  const port = numberAt(spec, 'healthCheckNodePort') ?? 0;
  const isAsked = hasType(spec, 'LoadBalancer') && own(spec, 'externalTrafficPolicy') === 'Local';
  if (port === 0 || isAsked) return [];
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [invalid('spec.healthCheckNodePort', port, why)];
}

/** Upstream writes the name of one field as Go does. */
function balancerErrors(spec: JsonObject): FieldError[] {
  const ranges = stringList(own(spec, 'loadBalancerSourceRanges'));
  const path = 'spec.LoadBalancerSourceRanges';
  if (hasType(spec, 'LoadBalancer')) {
    const named = own(spec, 'loadBalancerClass');
    return [
      ...ranges.flatMap((one, index) => cidrErrors(`${path}[${index}]`, one.trim())),
      ...(typeof named === 'string' ? invalidAs('spec.loadBalancerClass', named, checkLabelKey) : []),
    ];
  }
  const why = "may only be used when `type` is 'LoadBalancer'";
  return [
    ...(ranges.length > 0 ? [forbidden(path, why)] : []),
    ...['allocateLoadBalancerNodePorts', 'loadBalancerClass']
      .filter((field) => own(spec, field) !== undefined)
      .map((field) => forbidden(`spec.${field}`, why)),
  ];
}

function familyErrors(spec: JsonObject): FieldError[] {
  return stringList(own(spec, 'ipFamilies')).flatMap((family, index) =>
    supported(`spec.ipFamilies[${index}]`, family, ['IPv4', 'IPv6']),
  );
}

/** Addresses are given to services that are balanced. */
export function serviceStatusErrors(service: JsonObject): FieldError[] {
  const spec = ownObject(service, 'spec') ?? {};
  const balancer = ownObject(ownObject(service, 'status') ?? {}, 'loadBalancer') ?? {};
  const ingress = ownList(balancer, 'ingress') ?? [];
  const path = 'status.loadBalancer.ingress';
  if (ingress.length === 0) return [];
  if (!hasType(spec, 'LoadBalancer')) {
    return [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return ingress.flatMap((one, index) => {
    const ip = isObject(one) ? textAt(one, 'ip') : '';
    return ip === '' ? [] : addressErrors(`${path}[${index}].ip`, ip);
  });
}
