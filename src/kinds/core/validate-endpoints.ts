import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  type FieldError,
  type JsonObject,
  type KubeObject,
  own,
  ownList,
  required,
} from '../../meta/index.ts';
import { eachIn, invalidAs, numberAt, oneOf, portErrors, textAt } from '../rules/field-checks.ts';
import { addressErrors, endpointAddressErrors } from '../rules/validate-address.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];

/** Source, also of the order: kubernetes, pkg/apis/core/validation, validateEndpointSubsets. */
export function endpointsErrors(endpoints: KubeObject): FieldError[] {
  return (ownList(endpoints, 'subsets') ?? []).length === 0
    ? []
    : eachIn('', endpoints, 'subsets', (subset, path) => subsetErrors(subset, path.slice(1)));
}

function subsetErrors(subset: JsonObject, path: string): FieldError[] {
  const [ready, notReady] = [ownList(subset, 'addresses') ?? [], ownList(subset, 'notReadyAddresses') ?? []];
  const isEmpty = ready.length === 0 && notReady.length === 0;
  const isNamed = (ownList(subset, 'ports') ?? []).length > 1;
  return [
    ...(isEmpty ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...eachIn(path, subset, 'addresses', hostErrors),
    ...eachIn(path, subset, 'notReadyAddresses', hostErrors),
    ...eachIn(path, subset, 'ports', (port, at) => endpointPortErrors(port, at, isNamed)),
  ];
}

function hostErrors(address: JsonObject, path: string): FieldError[] {
  const [ip, hostname] = [textAt(address, 'ip'), textAt(address, 'hostname')];
  const hasNode = own(address, 'nodeName') !== undefined;
  return [
    ...addressErrors(`${path}.ip`, ip),
    ...(hostname === '' ? [] : invalidAs(`${path}.hostname`, hostname, checkDnsLabel)),
    ...(hasNode ? invalidAs(`${path}.nodeName`, textAt(address, 'nodeName'), checkDnsSubdomain) : []),
    ...endpointAddressErrors(`${path}.ip`, ip),
  ];
}

function endpointPortErrors(port: JsonObject, path: string, isNamed: boolean): FieldError[] {
  const name = textAt(port, 'name');
  const hasProtocol = own(port, 'appProtocol') !== undefined;
  return [
    ...(name === '' && isNamed ? [required(`${path}.name`)] : []),
    ...(name === '' ? [] : invalidAs(`${path}.name`, name, checkDnsLabel)),
    ...portErrors(`${path}.port`, numberAt(port, 'port') ?? 0),
    ...oneOf(`${path}.protocol`, own(port, 'protocol'), protocols),
    ...(hasProtocol ? invalidAs(`${path}.appProtocol`, textAt(port, 'appProtocol'), checkLabelKey) : []),
  ];
}
