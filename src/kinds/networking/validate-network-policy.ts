import {
  type FieldError,
  forbidden,
  invalid,
  type JsonObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  ownObject,
  required,
  stringList,
} from '../../meta/index.ts';
import { eachIn, invalidAs, numberAt, portErrors, supported, textAt } from '../rules/field-checks.ts';
import { portNameTexts } from '../rules/port-name.ts';
import { cidrErrors, subsetErrors } from '../rules/validate-address.ts';
import { labelSelectorErrors } from '../rules/validate-label-selector.ts';
import { specOf } from '../rules/workload.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

/** Source, also of the order: kubernetes, pkg/apis/networking/validation, ValidateNetworkPolicySpec. */
export function networkPolicyErrors(policy: KubeObject): FieldError[] {
  const spec = specOf(policy);
  return [
    ...labelSelectorErrors('spec.podSelector', ownObject(spec, 'podSelector')),
    ...eachIn('spec', spec, 'ingress', (rule, path) => ruleErrors(path, rule, 'from')),
    ...eachIn('spec', spec, 'egress', (rule, path) => ruleErrors(path, rule, 'to')),
    ...typeErrors(spec),
  ];
}

function ruleErrors(path: string, rule: JsonObject, peers: 'from' | 'to'): FieldError[] {
  return [...eachIn(path, rule, 'ports', policyPortErrors), ...eachIn(path, rule, peers, peerErrors)];
}

function policyPortErrors(port: JsonObject, path: string): FieldError[] {
  const protocol = own(port, 'protocol');
  return [...supported(`${path}.protocol`, protocol, protocols), ...portRangeErrors(path, port)];
}

function portRangeErrors(path: string, policyPort: JsonObject): FieldError[] {
  const [port, end] = [own(policyPort, 'port'), numberAt(policyPort, 'endPort')];
  const endWithout = (why: string) =>
    end === undefined ? [] : [invalid(`${path}.endPort`, end, `may not be specified when ${why}`)];
  if (typeof port === 'string') {
    return [...endWithout('`port` is non-numeric'), ...invalidAs(`${path}.port`, port, portNameTexts)];
  }
  const first = numberAt(policyPort, 'port');
  if (first === undefined) return endWithout('`port` is not specified');
  const isBefore = end !== undefined && end < first;
  return [
    ...portErrors(`${path}.port`, first),
    ...(isBefore ? [invalid(`${path}.endPort`, end, 'must be greater than or equal to `port`')] : []),
    ...(end === undefined ? [] : portErrors(`${path}.endPort`, end)),
  ];
}

function peerErrors(peer: JsonObject, path: string): FieldError[] {
  const [pods, namespaces] = [ownObject(peer, 'podSelector'), ownObject(peer, 'namespaceSelector')];
  const block = ownObject(peer, 'ipBlock');
  const count = [pods, namespaces, block].filter((one) => one !== undefined).length;
  return [
    ...labelSelectorErrors(`${path}.podSelector`, pods),
    ...labelSelectorErrors(`${path}.namespaceSelector`, namespaces),
    ...(block === undefined ? [] : blockErrors(`${path}.ipBlock`, block)),
    ...(count === 0 ? [required(path, 'must specify a peer')] : []),
    ...(count > 1 && block !== undefined
      ? [forbidden(path, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function blockErrors(path: string, block: JsonObject): FieldError[] {
  const cidr = textAt(block, 'cidr');
  if (cidr === '') return [required(`${path}.cidr`)];
  const errors = cidrErrors(`${path}.cidr`, cidr);
  const excepts = stringList(own(block, 'except')).flatMap((except, index) => {
    const at = `${path}.except[${index}]`;
    return [...cidrErrors(at, except), ...subsetErrors(at, except, cidr)];
  });
  return errors.some(({ detail }) => detail.startsWith('must be a valid')) ? errors : [...errors, ...excepts];
}

function typeErrors(spec: JsonObject): FieldError[] {
  const types = ownList(spec, 'policyTypes') ?? [];
  if (types.length > policyTypes.length) {
    return [invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  }
  return types.flatMap((type, index) =>
    typeof type === 'string' && policyTypes.includes(type)
      ? []
      : [notSupported(`spec.policyTypes[${index}]`, type, policyTypes)],
  );
}
