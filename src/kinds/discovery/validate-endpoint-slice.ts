import { isIPv4, isIPv6 } from 'node:net';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  duplicate,
  type FieldError,
  invalid,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  own,
  ownList,
  ownObject,
  required,
  stringList,
  tooMany,
} from '../../meta/index.ts';
import { eachIn, eachItem, invalidAs, supported, textAt } from '../rules/field-checks.ts';
import { addressErrors, endpointAddressErrors } from '../rules/validate-address.ts';
import { labelsErrors } from '../rules/validate-label-selector.ts';

const portsMax = 20_000;
const endpointsMax = 1000;
const addressesMax = 100;
const hintsMax = 8;
const protocols = ['SCTP', 'TCP', 'UDP'];

/** Source: kubernetes, pkg/apis/discovery/validation, validatePorts. */
export function slicePortErrors(slice: KubeObject): FieldError[] {
  const ports = ownList(slice, 'ports') ?? [];
  if (ports.length > portsMax) return [tooMany('ports', ports.length, portsMax)];
  const names = new Set<string>();
  return eachItem('ports', ports, (port, path) => [
    ...portNameErrors(`${path}.name`, textAt(port, 'name'), names),
    ...protocolErrors(`${path}.protocol`, own(port, 'protocol')),
    ...(own(port, 'appProtocol') === undefined
      ? []
      : invalidAs(`${path}.appProtocol`, textAt(port, 'appProtocol'), checkLabelKey)),
  ]);
}

function protocolErrors(path: string, protocol: JsonValue | undefined): FieldError[] {
  return protocol === undefined ? [required(path)] : supported(path, protocol, protocols);
}

/** Adds the name to the names. */
function portNameErrors(path: string, name: string, names: Set<string>): FieldError[] {
  const errors = name === '' ? [] : invalidAs(path, name, checkDnsLabel);
  if (names.has(name)) return [...errors, duplicate(path, name)];
  names.add(name);
  return errors;
}

/** Source: kubernetes, pkg/apis/discovery/validation, validateEndpoints. */
export function endpointErrors(slice: KubeObject): FieldError[] {
  const endpoints = ownList(slice, 'endpoints') ?? [];
  if (endpoints.length > endpointsMax) return [tooMany('endpoints', endpoints.length, endpointsMax)];
  const type = textAt(slice, 'addressType');
  return eachItem('endpoints', endpoints, (endpoint, path) => [
    ...addressesErrors(`${path}.addresses`, stringList(own(endpoint, 'addresses')), type),
    ...nameErrors(`${path}.nodeName`, own(endpoint, 'nodeName'), checkDnsSubdomain),
    ...labelsErrors(`${path}.deprecatedTopology`, ownObject(endpoint, 'deprecatedTopology')),
    ...nameErrors(`${path}.hostname`, own(endpoint, 'hostname'), checkDnsLabel),
    ...hintErrors(`${path}.hints`, ownObject(endpoint, 'hints') ?? {}),
  ]);
}

/** Unlike an absent name, an empty one is an error. */
function nameErrors(path: string, name: unknown, check: (name: string) => readonly string[]): FieldError[] {
  return typeof name === 'string' ? invalidAs(path, name, check) : [];
}

function addressesErrors(path: string, addresses: readonly string[], type: string): FieldError[] {
  if (addresses.length === 0) return [required(path)];
  return [
    ...(addresses.length > addressesMax ? [tooMany(path, addresses.length, addressesMax)] : []),
    ...addresses.flatMap((address, index) => addressErrorsOf(type, address, { path, index })),
  ];
}

interface Place {
  readonly path: string;
  readonly index: number;
}

function addressErrorsOf(type: string, address: string, { path, index }: Place): FieldError[] {
  const at = `${path}[${index}]`;
  if (!['FQDN', 'IPv4', 'IPv6'].includes(type)) return [];
  if (type === 'FQDN') return invalidAs(at, address, checkDnsSubdomain);
  const errors = addressErrors(at, address);
  if (errors.length > 0) return errors;
  const isOfType = type === 'IPv4' ? isIPv4(address) : isIPv6(address);
  return [
    ...(isOfType ? [] : [invalid(path, address, `must be an ${type} address`)]),
    ...endpointAddressErrors(at, address),
  ];
}

function hintErrors(path: string, hints: JsonObject): FieldError[] {
  return [
    ...hintNameErrors(path, hints, 'forZones', checkLabelValue),
    ...hintNameErrors(path, hints, 'forNodes', checkDnsSubdomain),
  ];
}

function hintNameErrors(
  path: string,
  hints: JsonObject,
  field: 'forZones' | 'forNodes',
  check: (name: string) => readonly string[],
): FieldError[] {
  const count = (ownList(hints, field) ?? []).length;
  if (count > hintsMax) return [tooMany(`${path}.${field}`, count, hintsMax)];
  const names = new Set<string>();
  return eachIn(path, hints, field, (hint, at) => {
    const name = textAt(hint, 'name');
    const isRepeated = names.has(name);
    names.add(name);
    return [...(isRepeated ? [duplicate(`${at}.name`, name)] : []), ...invalidAs(`${at}.name`, name, check)];
  });
}
