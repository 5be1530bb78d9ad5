import {
  equal,
  type FieldError,
  invalid,
  isObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  required,
  stringList,
} from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];

/** Source: kubernetes, pkg/apis/discovery/validation. */
function validate(slice: KubeObject): FieldError[] {
  const type = own(slice, 'addressType');
  if (type === undefined || type === '') return [required('addressType')];
  const known = addressTypes.some((one) => one === type);
  return known ? [] : [notSupported('addressType', type, addressTypes)];
}

function validateChange(slice: KubeObject, old: KubeObject): FieldError[] {
  const [now, before] = [own(slice, 'addressType'), own(old, 'addressType')];
  return equal(now, before) ? [] : [invalid('addressType', now, 'field is immutable')];
}

const cellOf = (slice: KubeObject, list: string, read: (item: KubeObject) => string) => {
  const texts = (ownList(slice, list) ?? []).filter(isObject).map(read);
  return texts.length === 0 ? '<unset>' : texts.join(',');
};

/** No Service gets any. */
export const endpointSliceKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, validate, validateChange }),
  type: builtInType({
    group: 'discovery.k8s.io',
    version: 'v1',
    kind: 'EndpointSlice',
    resource: 'endpointslices',
    namespaced: true,
    columns: [
      column('AddressType', '.addressType', { description: 'What its addresses are.' }),
      column('Ports', '', {
        read: (slice) => cellOf(slice, 'ports', (port) => String(own(port, 'port') ?? '*')),
        description: 'Where they listen.',
      }),
      column('Endpoints', '', {
        read: (slice) => cellOf(slice, 'endpoints', (one) => stringList(own(one, 'addresses')).join(',')),
        description: 'Who answers.',
      }),
      ageColumn,
    ],
  }),
};
