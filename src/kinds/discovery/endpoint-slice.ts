import { isObject, type KubeObject, own, ownList, stringList } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import type { KindRule } from '../rules/field-rules.ts';
import { ruledStrategy } from '../strategy/ruled-strategy.ts';

/** Source: kubernetes, pkg/apis/discovery/validation. */
const rules: readonly KindRule[] = [
  { path: 'addressType', required: true, oneOf: ['FQDN', 'IPv4', 'IPv6'], immutable: true },
];

const cellOf = (slice: KubeObject, list: string, read: (item: KubeObject) => string) => {
  const texts = (ownList(slice, list) ?? []).filter(isObject).map(read);
  return texts.length === 0 ? '<unset>' : texts.join(',');
};

/** No Service gets any. */
export const endpointSliceKind: BuiltInKind = {
  strategy: ruledStrategy({ generation: true, rules }),
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
