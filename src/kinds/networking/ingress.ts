import { isIP } from 'node:net';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkWildcardSubdomain,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  ownObject,
  ownString,
  required,
  stringList,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { eachIn, invalidAs, numberAt, portErrors, textAt } from '../rules/field-checks.ts';
import { itemRuleErrors } from '../rules/field-rules.ts';
import { portNameTexts } from '../rules/port-name.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { referenceRules } from './reference-rules.ts';

const objectsIn = (object: JsonObject, field: string) => (ownList(object, field) ?? []).filter(isObject);

/** Source of these and their order: kubernetes, pkg/apis/networking/validation. */
function validate(ingress: KubeObject): FieldError[] {
  const spec = specOf(ingress);
  const backend = ownObject(spec, 'defaultBackend');
  const rules = objectsIn(spec, 'rules');
  const isEmpty = rules.length === 0 && backend === undefined;
  const className = ownString(spec, 'ingressClassName');
  return [
    ...(isEmpty ? [invalid('spec', null, 'either `defaultBackend` or `rules` must be specified')] : []),
    ...(backend === undefined ? [] : backendErrors('spec.defaultBackend', backend)),
    ...rules.flatMap((rule, index) => ruleErrors(`spec.rules[${index}]`, rule)),
    ...eachIn('spec', spec, 'tls', tlsErrors),
    ...(className === undefined ? [] : nameErrors('spec.ingressClassName', className)),
  ];
}

const nameErrors = (path: string, name: string) =>
  checkDnsSubdomain(name).map((text) => invalid(path, name, text));

function ruleErrors(path: string, rule: JsonObject): FieldError[] {
  const http = ownObject(rule, 'http');
  const paths = objectsIn(http ?? {}, 'paths');
  return [
    ...hostErrors(`${path}.host`, ownString(rule, 'host') ?? ''),
    ...(http !== undefined && paths.length === 0 ? [required(`${path}.http.paths`)] : []),
    ...paths.flatMap((one, index) => pathErrors(`${path}.http.paths[${index}]`, one)),
  ];
}

/** A wildcard may stand for the first label: `*.example.com`. */
function hostErrors(path: string, host: string): FieldError[] {
  if (host === '') return [];
  const isAddress = isIP(host) !== 0;
  return [
    ...(isAddress ? [invalid(path, host, 'must be a DNS name, not an IP address')] : []),
    ...hostNameErrors(path, host),
  ];
}

function hostNameErrors(path: string, host: string): FieldError[] {
  return invalidAs(path, host, host.includes('*') ? checkWildcardSubdomain : checkDnsSubdomain);
}

function tlsErrors(tls: JsonObject, path: string): FieldError[] {
  const secret = textAt(tls, 'secretName');
  return [
    ...stringList(own(tls, 'hosts')).flatMap((host, index) =>
      hostNameErrors(`${path}.hosts[${index}]`, host),
    ),
    ...(secret === '' ? [] : nameErrors(`${path}.secretName`, secret)),
  ];
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const notInPaths = ['//', '/./', '/../', '%2f', '%2F'];
const notAtEnds = ['/..', '/.'];

function pathErrors(path: string, one: JsonObject): FieldError[] {
  const type = own(one, 'pathType');
  if (type === undefined || type === null) {
    return [required(`${path}.pathType`, 'pathType must be specified')];
  }
  const known = typeof type === 'string' && pathTypes.includes(type);
  const text = ownString(one, 'path') ?? '';
  return [
    ...(known
      ? pathTextErrors(`${path}.path`, text, type)
      : [notSupported(`${path}.pathType`, type, pathTypes)]),
    ...backendErrors(`${path}.backend`, ownObject(one, 'backend') ?? {}),
  ];
}

function pathTextErrors(path: string, text: string, type: string): FieldError[] {
  if (type === 'ImplementationSpecific' && text === '') return [];
  const absolute = text.startsWith('/') ? [] : [invalid(path, text, 'must be an absolute path')];
  if (type === 'ImplementationSpecific') return absolute;
  const inside = notInPaths.filter((one) => text.includes(one)).map((one) => `must not contain '${one}'`);
  const atEnd = notAtEnds.filter((one) => text.endsWith(one)).map((one) => `cannot end with '${one}'`);
  return [...absolute, ...[...inside, ...atEnd].map((detail) => invalid(path, text, detail))];
}

function backendErrors(path: string, backend: JsonObject): FieldError[] {
  const [resource, service] = [ownObject(backend, 'resource'), ownObject(backend, 'service')];
  if (resource !== undefined && service !== undefined) {
    return [invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (service !== undefined) return serviceErrors(path, service);
  if (resource !== undefined) return itemRuleErrors(referenceRules, resource, `${path}.resource`);
  return [invalid(path, '', 'resource or service backend is required')];
}

function serviceErrors(path: string, service: JsonObject): FieldError[] {
  const name = ownString(service, 'name') ?? '';
  return [
    ...(name === ''
      ? [required(`${path}.service.name`)]
      : checkDnsLabel(name).map((text) => invalid(`${path}.service.name`, name, text))),
    ...servicePortErrors(path, ownObject(service, 'port') ?? {}),
  ];
}

function servicePortErrors(path: string, port: JsonObject): FieldError[] {
  const [name, number] = [textAt(port, 'name'), numberAt(port, 'number') ?? 0];
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return invalidAs(`${path}.service.port.name`, name, portNameTexts);
  if (number !== 0) return portErrors(`${path}.service.port.number`, number);
  return [required(path, 'port name or number is required')];
}

function hostsCell(ingress: KubeObject): string {
  const hosts = objectsIn(specOf(ingress), 'rules').flatMap((rule) => ownString(rule, 'host') || []);
  return hosts.length === 0 ? '*' : hosts.join(',');
}

function addressCell(ingress: KubeObject): string {
  const points = objectsIn(ownObject(statusOf(ingress), 'loadBalancer') ?? {}, 'ingress');
  return points.map((point) => ownString(point, 'ip') || ownString(point, 'hostname') || '').join(',');
}

/** A plain object: no controller serves it. */
export const ingressKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, validate, firstStatus: () => ({ loadBalancer: {} }) }),
  type: builtInType({
    group: 'networking.k8s.io',
    version: 'v1',
    kind: 'Ingress',
    resource: 'ingresses',
    namespaced: true,
    shortNames: ['ing'],
    status: true,
    columns: [
      column('Class', '', {
        read: (ingress) => ownString(specOf(ingress), 'ingressClassName') ?? '<none>',
        description: 'The ingress class.',
      }),
      column('Hosts', '', { read: hostsCell, description: 'The hosts of its rules.' }),
      column('Address', '', { read: addressCell, description: 'The addresses of its load balancer.' }),
      column('Ports', '', {
        read: (ingress) => (objectsIn(specOf(ingress), 'tls').length === 0 ? '80' : '80, 443'),
        description: 'The ports: 443 too if it has TLS.',
      }),
      ageColumn,
    ],
  }),
};
